"use strict";
// Finds rules, error messages, faults and pages. `find` needs no page: tests/tools/site/test_search.py runs it with Node.js.

const SHORTEST = 2;
const SHOWN = 30;

// The words of a text in lower case. Numbers alone differ between two prints of one message, so they are left out.
function words(text) {
  return text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length >= SHORTEST && !/^\d+$/.test(word));
}

// The text as it is compared with another one: letters and digits, with single spaces.
function letters(text) {
  return ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim()} `;
}

// Adds to each entry what `find` reads: its words in title and text. Returns how many entries have each word.
function prepare(entries) {
  const frequency = new Map();
  for (const entry of entries) {
    entry.inTitle = new Set(words(entry.title));
    entry.inText = new Set(words(entry.text));
    entry.letters = letters(`${entry.title} ${entry.text}`);
    for (const word of new Set([...entry.inTitle, ...entry.inText])) {
      frequency.set(word, (frequency.get(word) || 0) + 1);
    }
  }
  return frequency;
}

function hasBeginning(set, word) {
  for (const other of set) {
    if (other.startsWith(word)) return true;
  }
  return false;
}

// How well an entry answers. A code or a literal text wins; otherwise the rare words that it has count.
function score(entry, query, frequency, total) {
  let points = 0;
  let all = 0;
  for (const word of query.words) {
    const weight = Math.log(1 + total / (1 + (frequency.get(word) || 0)));
    all += weight;
    if (entry.inTitle.has(word)) points += weight * 3;
    else if (entry.inText.has(word)) points += weight;
    else if (word.length > 3 && hasBeginning(entry.inTitle, word)) points += weight * 1.5;
    else if (word.length > 3 && hasBeginning(entry.inText, word)) points += weight / 2;
  }
  if (all) points *= points / (3 * all);
  if (entry.codes.some((code) => query.codes.has(code.toLowerCase()))) points += 1000;
  if (query.letters.trim() && entry.letters.includes(query.letters)) points += 20 + query.letters.length;
  if (entry.whole && query.letters.includes(letters(entry.whole))) points += 200 + entry.whole.length;
  return points;
}

// The entries that answer a text, the best first.
function find(entries, text, frequency) {
  const query = {
    words: [...new Set(words(text))],
    letters: letters(text),
    codes: new Set(text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean)),
  };
  const found = entries.map((entry) => [score(entry, query, frequency, entries.length), entry]).sort((a, b) => b[0] - a[0]);
  const best = found.length ? found[0][0] : 0;
  return found.filter(([points]) => points > Math.max(0.5, Math.min(best, 40) / 20)).map(([, entry]) => entry);
}

// The part of a text around the first word of the query that it has.
function part(text, query) {
  const lower = text.toLowerCase();
  const places = words(query).map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const near = places.length ? Math.max(0, Math.min(...places) - 60) : 0;
  const from = near ? text.indexOf(" ", near) + 1 : 0;
  const shown = text.slice(from, from + 220);
  return (from ? "… " : "") + shown + (from + 220 < text.length ? " …" : "");
}

function element(name, text, properties) {
  const made = Object.assign(document.createElement(name), properties);
  if (text) made.textContent = text;
  return made;
}

const KINDS = { rule: "Rule", message: "Error message", fault: "Fault", page: "Page" };

function item(entry, query) {
  const made = element("li", "", { className: "result" });
  const heading = element("p", "", { className: "result-title" });
  heading.append(element("a", entry.title, { href: entry.at }), " ", element("span", KINDS[entry.kind], { className: "kind" }));
  made.append(heading, element("p", part(entry.text, query), { className: "result-text" }));
  return made;
}

function start() {
  const field = document.getElementById("search-text");
  const list = document.getElementById("search-results");
  const status = document.getElementById("search-status");
  const more = document.getElementById("search-more");
  const entries = window.GITGPU_SEARCH;
  const frequency = prepare(entries);
  let limit = SHOWN;

  function show() {
    const query = field.value.trim();
    const found = query ? find(entries, query, frequency) : [];
    list.replaceChildren(...found.slice(0, limit).map((entry) => item(entry, query)));
    more.hidden = found.length <= limit;
    if (!query) status.textContent = "Type a code, a name, a message or what you see.";
    else if (!found.length) status.textContent = "Nothing found. Try fewer words, or the part of the message that does not change.";
    else status.textContent = `${found.length} result${found.length === 1 ? "" : "s"}.`;
  }

  const asked = new URLSearchParams(window.location.search).get("q");
  if (asked) field.value = asked;
  let pending = 0;
  field.addEventListener("input", () => {
    limit = SHOWN;
    clearTimeout(pending);
    pending = setTimeout(show, 120);
  });
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    window.history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`);
    show();
  });
  more.addEventListener("click", () => {
    limit += SHOWN;
    show();
  });
  show();
}

if (typeof module !== "undefined") module.exports = { find, prepare, words };
else document.addEventListener("DOMContentLoaded", start);
