/* Sorting and searching tables; everything can be read without it. */
"use strict";

/* A number where there is one: 4,817 and 12.50% are numbers, a dash is not. */
function valueOf(cell) {
  const text = cell.dataset.value ?? cell.textContent.trim().replace(/,|%$/g, "");
  return text !== "" && !isNaN(text) ? Number(text) : text;
}

/* What is no number comes last, whichever way. */
function compare(x, y, down) {
  const numbers = [x, y].map((value) => typeof value === "number");
  if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
  const order = numbers[0] ? x - y : x.localeCompare(y, undefined, { numeric: true });
  return down ? -order : order;
}

function makeSortable(heads, body) {
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    if (button.textContent.trim() === "") button.setAttribute("aria-label", "sort by name");
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const all = [...body.rows], was = head.getAttribute("aria-sort");
      const rows = all.filter((row) => !row.classList.contains("total"));
      const totals = all.filter((row) => row.classList.contains("total"));
      // Numbers begin with the largest, names with the first.
      const numeric = rows.some((row) => typeof valueOf(row.cells[i]) === "number");
      const down = was === "none" ? numeric : was === "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => compare(valueOf(a.cells[i]), valueOf(b.cells[i]), down));
      body.append(...rows, ...totals);
    });
  });
}

function makeSearchable(table, body) {
  const search = document.createElement("input");
  search.className = "search";
  search.type = "search";
  search.placeholder = "search rows";
  search.setAttribute("aria-label", "search rows");
  search.addEventListener("input", () => {
    table.classList.toggle("folded", search.value === "" && table.dataset.folds === "yes");
    const wanted = search.value.toLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.parentElement.before(search);
}

/* More than 30 rows are shown when they are asked for; print shows all. */
function makeFold(table, body) {
  const button = document.createElement("button");
  const set = (folds) => {
    table.dataset.folds = folds ? "yes" : "no";
    table.classList.toggle("folded", folds);
    button.textContent = folds ? `show all ${body.rows.length} rows` : "show the first 30 rows";
    button.setAttribute("aria-expanded", String(!folds));
  };
  button.type = "button";
  button.className = "fold";
  button.addEventListener("click", () => set(table.dataset.folds !== "yes"));
  table.parentElement.after(button);
  set(true);
}

for (const table of document.querySelectorAll("table.numbers")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  // Rows below others belong there.
  if (body.rows.length > 1 && body.querySelector(".level1") === null)
    makeSortable(heads, body);
  if (body.rows.length > 12) makeSearchable(table, body);
  if (body.rows.length > 30) makeFold(table, body);
}

/* --- paper: a table that is wider than the page goes on below, with the names of its rows --- */

const PAGE_WIDTH = 660; // of A4 without the margins of report.css, and a little less

/* Columns side by side as far as they fit, as lists of numbers; the first is in all. */
function partsOf(widths) {
  const parts = [[]];
  let used = widths[0];
  for (let i = 1; i < widths.length; i++) {
    const part = parts[parts.length - 1];
    if (part.length > 0 && used + widths[i] > PAGE_WIDTH) {
      parts.push([i]);
      used = widths[0] + widths[i];
    } else {
      part.push(i);
      used += widths[i];
    }
  }
  return parts;
}

function splitForPaper(table) {
  const rows = [...table.rows], columns = rows[0].cells.length;
  if (rows.some((row) => row.cells.length !== columns)) return;
  const folded = table.classList.replace("folded", "on-paper");
  table.classList.add("on-paper");
  const width = table.offsetWidth, widths = [...rows[0].cells].map((cell) => cell.offsetWidth);
  table.classList.remove("on-paper");
  table.classList.toggle("folded", folded);
  if (width <= PAGE_WIDTH) return;
  for (const part of partsOf(widths).reverse()) {
    const copy = table.cloneNode(true);
    copy.classList.add("part");
    copy.classList.remove("folded");
    copy.querySelectorAll("[id]").forEach((element) => element.removeAttribute("id"));
    for (const row of copy.rows)
      [...row.cells].forEach((cell, i) => { if (i > 0 && !part.includes(i)) cell.remove(); });
    table.after(copy);
  }
  table.classList.add("in-parts");
}

addEventListener("beforeprint", () => document.querySelectorAll("table.numbers").forEach(splitForPaper));
addEventListener("afterprint", () => {
  document.querySelectorAll("table.part").forEach((part) => part.remove());
  document.querySelectorAll("table.in-parts").forEach((table) => table.classList.remove("in-parts"));
});
