"use strict";
// A region that scrolls sideways can be reached by keyboard; one that does not needs no stop.
function reachable() {
  for (const region of document.querySelectorAll("article pre, article .table-wrapper")) {
    if (region.scrollWidth > region.clientWidth) {
      region.tabIndex = 0;
      region.setAttribute("role", "group");
      region.setAttribute("aria-label", region.tagName === "PRE" ? "Code" : "Table");
    } else {
      region.removeAttribute("tabindex");
      region.removeAttribute("role");
      region.removeAttribute("aria-label");
    }
  }
}

document.addEventListener("DOMContentLoaded", reachable);
window.addEventListener("resize", reachable);
