/* Sorting and searching tables; everything can be read without it. */
"use strict";
for (const table of document.querySelectorAll("table.numbers")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const value = (row, i) => {
    const cell = row.cells[i], number = cell.dataset.value;
    return number === undefined ? cell.textContent.trim() : Number(number);
  };
  const nested = body.querySelector(".level1") !== null;
  heads.forEach((head, i) => {
    if (nested) return; // rows below others belong there
    head.setAttribute("aria-sort", "none");
    head.tabIndex = 0;
    const sort = () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].filter((row) => !row.classList.contains("total"));
      const totals = [...body.rows].filter((row) => row.classList.contains("total"));
      rows.sort((a, b) => {
        const x = value(a, i), y = value(b, i);
        const order = typeof x === "number" && typeof y === "number" ? x - y
          : String(x).localeCompare(String(y), undefined, { numeric: true });
        return down ? -order : order;
      });
      body.append(...rows, ...totals);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
  if (body.rows.length > 12) {
    const search = document.createElement("input");
    search.className = "search";
    search.type = "search";
    search.placeholder = "search rows";
    search.setAttribute("aria-label", "search rows");
    search.addEventListener("input", () => {
      const wanted = search.value.toLowerCase();
      for (const row of body.rows)
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    table.parentElement.before(search);
  }
}
