"use strict";
// The size explorer. Its data is sizes-data.js, which `python -m tools.site` writes from the catalog. null means unknown.

const MOST = 4; // compared at once
const OLD = 90; // days
const NAMES = ["name", "gpu", "memory", "gpus", "mig", "infiniband", "nvlink", "provisioner", "driver", "region", "price", "sort", "gone"];
const OFFERS = { offered: "yes", "gpu-mode-none": "only without the AKS driver", "left-out": "no" };

function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function said(value) {
  if (value === null || value === "") return "-";
  if (value === true) return "yes";
  if (value === false) return "no";
  return String(value);
}

function dollars(price) {
  return `$${price.toLocaleString("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 })}`;
}

// The memory of a GPU as a pod gets it: a part of a GPU has a part of its memory.
function ofShare(size) {
  if (size.gpuMemory === null) return null;
  const [part, whole] = size.share.split("/");
  return whole ? (size.gpuMemory * part) / whole : size.gpuMemory;
}

// The price in a region, or the lowest of all: {value, region, date}; null if unknown.
function priceOf(size, region) {
  const regions = region ? [region] : Object.keys(size.prices);
  const known = regions.filter((name) => name in size.prices);
  if (!known.length) return null;
  const cheapest = known.reduce((a, b) => (size.prices[b] < size.prices[a] ? b : a));
  return { value: size.prices[cheapest], region: cheapest, date: size.priceDates[cheapest] };
}

function isOld(date, today) {
  return (today - Date.parse(date)) / 86400000 > OLD;
}

// Who installs which driver: "none" if AKS is known to install none, null if it is unknown.
function driverOf(size) {
  return size.driver || (size.aksInstalls ? null : "none");
}

function isGone(size) {
  return size.provisioners.length === 0;
}

// Whether a size has everything that the filters ask for.
function matches(size, wanted) {
  const price = priceOf(size, wanted.region);
  const flag = (asked, fact) => !asked || fact === (asked === "yes");
  return (
    (wanted.gone || !isGone(size)) &&
    size.name.toLowerCase().includes(wanted.name.trim().toLowerCase()) &&
    (!wanted.gpu || size.gpu === wanted.gpu) &&
    (!wanted.memory || (ofShare(size) !== null && ofShare(size) >= Number(wanted.memory))) &&
    (!wanted.gpus || (size.gpus !== null && size.gpus >= Number(wanted.gpus))) &&
    flag(wanted.mig, size.mig) &&
    flag(wanted.infiniband, size.infiniband) &&
    flag(wanted.nvlink, size.nvlink) &&
    (!wanted.provisioner || size.provisioners.includes(wanted.provisioner)) &&
    (!wanted.driver || driverOf(size) === wanted.driver) &&
    (!wanted.region || price !== null) &&
    (wanted.price === "" || (price !== null && price.value <= Number(wanted.price)))
  );
}

function perGpu(size, region) {
  const price = priceOf(size, region);
  if (price === null || !size.gpus) return null;
  const [part, whole] = size.share.split("/");
  return price.value / (size.gpus * (whole ? part / whole : 1));
}

// What is unknown comes last.
function sorted(sizes, key, region) {
  const value = {
    name: () => 0,
    price: (size) => (priceOf(size, region) || { value: null }).value,
    "per-gpu": (size) => perGpu(size, region),
    gpuMemory: (size) => (ofShare(size) === null ? null : -ofShare(size)),
    gpus: (size) => (size.gpus === null ? null : -size.gpus),
  }[key];
  const order = (a, b) => (a === null) - (b === null) || a - b;
  return [...sizes].sort((a, b) => order(value(a), value(b)) || a.name.localeCompare(b.name));
}

function specLine(size) {
  return `sku: ${size.name}`;
}

function priceText(size, region, today) {
  const price = priceOf(size, region);
  if (price === null) return "-";
  const where = region ? "" : ` in ${price.region}`;
  const old = isOld(price.date, today) ? `, over ${OLD} days old` : "";
  return `${dollars(price.value)}${where} (${price.date}${old})`;
}

// Each compared fact: its label and its text.
function compared(size, region, today) {
  const each = perGpu(size, region);
  return [
    ["GPU", said(size.gpu)],
    ["GPUs", said(size.gpus)],
    ["Share of a GPU", size.gpu === null ? "-" : said(size.share)],
    ["GPU memory, GiB each", said(ofShare(size))],
    ["vCPUs", said(size.vcpus)],
    ["Memory, GiB", said(size.memory)],
    ["MIG", said(size.mig)],
    ["InfiniBand", said(size.infiniband)],
    ["NVLink", said(size.nvlink)],
    ["Driver that AKS installs", said(driverOf(size)) + (size.driverVersion ? ` ${size.driverVersion}` : "")],
    ["Driver on Windows", said(size.windowsDriver)],
    ["Operating systems", size.os.length ? size.os.join(", ") : "-"],
    ["Karpenter starts it", isGone(size) ? "no" : OFFERS[size.karpenter]],
    ["Status", size.statusDate ? `${size.status} ${size.statusDate}` : size.status],
    ["Price an hour", priceText(size, region, today)],
    ["Price of a GPU an hour", each === null ? "-" : `${dollars(each)} (${priceOf(size, region).date})`],
    ["Regions with a known price", String(Object.keys(size.prices).length)],
  ];
}

function start() {
  const sizes = window.GITGPU_SIZES;
  const today = Date.now();
  const form = document.querySelector("#explorer form");
  const control = Object.fromEntries(NAMES.map((name) => [name, document.getElementById(`f-${name}`)]));
  const body = document.querySelector("#sizes tbody");
  const count = document.getElementById("count");
  let chosen = [];

  function fill(name, values) {
    const known = [...new Set(values.filter((value) => value !== null))].sort((a, b) => a.localeCompare(b));
    control[name].append(...known.map((value) => make("option", { value, textContent: value === "none" ? "none" : value })));
  }
  fill("gpu", sizes.map((size) => size.gpu));
  fill("driver", sizes.map(driverOf));
  fill("region", sizes.flatMap((size) => Object.keys(size.prices)));

  function wanted() {
    return Object.fromEntries(NAMES.map((name) => [name, name === "gone" ? control.gone.checked : control[name].value]));
  }

  // The filters and the compared sizes are in the address, so that it can be passed on.
  function remember(of) {
    const set = Object.entries(of).filter(([name, value]) => value && !(name === "sort" && value === "name"));
    const parts = new URLSearchParams(set.map(([name, value]) => [name, value === true ? "1" : value]));
    if (chosen.length) parts.set("compare", chosen.join(","));
    const text = parts.toString();
    if (text !== window.location.hash.slice(1)) window.history.replaceState(null, "", text ? `#${text}` : window.location.pathname);
  }

  function recall() {
    const parts = new URLSearchParams(window.location.hash.slice(1));
    for (const name of NAMES) {
      if (name === "gone") control.gone.checked = parts.get("gone") === "1";
      else if (parts.has(name)) control[name].value = parts.get(name);
      if (control[name].selectedIndex === -1) control[name].selectedIndex = 0;
    }
    const known = new Set(sizes.map((size) => size.name));
    chosen = (parts.get("compare") || "").split(",").filter((name) => known.has(name)).slice(0, MOST);
  }

  function copyButton(size) {
    const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
    button.setAttribute("aria-label", `Copy ${specLine(size)}`);
    button.title = specLine(size);
    button.addEventListener("click", async () => {
      const done = await copied(specLine(size));
      button.textContent = done ? "Copied" : "Not copied";
      count.textContent = done ? `Copied: ${specLine(size)}` : `The browser does not copy. The line is: ${specLine(size)}`;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    return button;
  }

  function choice(size) {
    const box = make("input", { type: "checkbox", checked: chosen.includes(size.name) });
    box.disabled = !box.checked && chosen.length >= MOST;
    box.setAttribute("aria-label", `Compare ${size.name}`);
    box.addEventListener("change", () => {
      chosen = box.checked ? [...chosen, size.name] : chosen.filter((name) => name !== size.name);
      show(`compare:${size.name}`);
    });
    box.dataset.focus = `compare:${size.name}`;
    return box;
  }

  function row(size, region) {
    const has = [["MIG", size.mig], ["InfiniBand", size.infiniband], ["NVLink", size.nvlink]].filter(([, fact]) => fact).map(([name]) => name);
    const part = size.share === "1" ? "" : ` (${size.share} each)`;
    const notes = [];
    if (size.status !== "active") notes.push(size.statusDate ? `${size.status} ${size.statusDate}` : `status ${size.status}`);
    if (!isGone(size) && size.karpenter !== "offered") notes.push(`Karpenter: ${OFFERS[size.karpenter]}`);
    const name = make("th", { scope: "row" }, make("code", { textContent: size.name }), " ", copyButton(size));
    if (notes.length) name.append(make("small", { textContent: notes.join("; ") }));
    const cells = [
      ["Compare", choice(size)],
      [null, name],
      ["GPUs", size.gpu === null ? "-" : `${said(size.gpus)} × ${size.gpu}${part}`],
      ["GPU memory", ofShare(size) === null ? "-" : `${Number(ofShare(size).toFixed(1))} GiB`],
      ["vCPU, memory", `${said(size.vcpus)}, ${said(size.memory)} GiB`],
      ["Has", has.join(", ") || "-"],
      ["Driver", said(driverOf(size))],
      ["Price", priceText(size, region, today)],
    ];
    const made = make("tr", {});
    for (const [label, content] of cells) {
      if (label === null) made.append(content);
      else {
        const cell = make("td", {}, content);
        cell.dataset.label = label;
        made.append(cell);
      }
    }
    return made;
  }

  function showCompared(region) {
    const picked = chosen.map((name) => sizes.find((size) => size.name === name));
    document.getElementById("compared").hidden = picked.length < 2;
    if (picked.length < 2) return;
    const facts = picked.map((size) => compared(size, region, today));
    const head = make("tr", {}, make("th", { scope: "col", textContent: "Fact" }));
    for (const size of picked) head.append(make("th", { scope: "col" }, make("code", { textContent: size.name }), " ", copyButton(size)));
    const rows = facts[0].map(([label], number) => {
      const values = facts.map((each) => each[number][1]);
      const differs = new Set(values).size > 1;
      const heading = make("th", { scope: "row", textContent: differs ? `${label} *` : label });
      return make("tr", { className: differs ? "differs" : "" }, heading, ...values.map((value) => make("td", { textContent: value })));
    });
    const caption = make("caption", { textContent: "* marks facts that differ." });
    document.getElementById("comparison").replaceChildren(caption, make("thead", {}, head), make("tbody", {}, ...rows));
  }

  function show(focus) {
    const of = wanted();
    const found = sorted(sizes.filter((size) => matches(size, of)), of.sort, of.region);
    body.replaceChildren(...found.map((size) => row(size, of.region)));
    showCompared(of.region);
    const shown = `${found.length} of ${sizes.length} sizes`;
    const picked = chosen.length === 1 ? ". 1 selected; select another one to compare" : chosen.length ? `. ${chosen.length} compared` : "";
    count.textContent = found.length ? `${shown}${picked}.` : `${shown}. Clear a filter to see more.`;
    remember(of);
    if (focus) document.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus();
  }

  form.addEventListener("input", () => show());
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
  document.getElementById("clear-compared").addEventListener("click", () => {
    chosen = [];
    show();
    count.focus();
  });
  window.addEventListener("hashchange", () => {
    recall();
    show();
  });
  recall();
  show();
}

// A page that was opened as a file has no clipboard in some browsers: then the older way.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { value: text });
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    before?.focus();
    return done;
  }
}

if (typeof module !== "undefined") module.exports = { matches, priceOf, ofShare, sorted, compared, perGpu };
else document.addEventListener("DOMContentLoaded", start);
