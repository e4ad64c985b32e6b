/* A long list, searched and sent by the server a part at a time. */
import { get, make, plural, tellError } from "./page.js";

const ENOUGH = 200; // rows that are shown at once; then people ask for more
const PAUSE_MS = 200; // after the last letter

/* name: of the call; search, rows, count, more: elements; row(one): makes a row; said(answer): of each answer;
 * unit: what is counted. onbegin(), onmore(), ondone() may be set. A row that is null is not shown. */
export class Pager {
  constructor({ name, search, rows, count, more, row, said = () => {}, unit = "item" }) {
    Object.assign(this, { name, search, rows, count, more, row, said, unit, turn: 0, onbegin() {}, onmore() {}, ondone() {} });
    search.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.begin(), PAUSE_MS);
    });
    more.addEventListener("click", () => {
      this.onmore();
      this.go(this.turn);
    });
  }

  /* From the top; resolves when rows are there. */
  begin() {
    this.next = 0;
    this.shown = 0;
    this.rows.replaceChildren();
    this.onbegin();
    return this.go(++this.turn);
  }

  async go(turn) {
    const words = this.search.value.trim(), wanted = this.shown + ENOUGH;
    this.more.hidden = true;
    try {
      while (this.next !== null && this.shown < wanted) {
        const said = await get(`${this.name}/${this.next}${words === "" ? "" : `/${encodeURIComponent(words)}`}`);
        if (turn !== this.turn) return;
        this.said(said);
        const rows = said.items.map(this.row).filter((row) => row !== null);
        this.rows.append(...rows);
        this.shown += rows.length;
        this.next = said.next;
        this.count.textContent = `${words === "" ? "" : `${plural(this.shown, "hit")}${this.next === null ? "" : " so far"}, of `}${plural(said.count, this.unit)}`;
      }
    } catch (error) {
      tellError(error);
    }
    this.more.hidden = this.next === null;
    if (turn === this.turn) this.ondone();
  }
}

/* The elements of such a list in a page: {search, rows, count, more}. */
export function listParts(place, heads, label) {
  const parts = { search: make("input", { type: "search", id: `${place.id}-search`, placeholder: label, autocomplete: "off" }),
    rows: make("tbody", { id: `${place.id}-items` }), count: make("span", { class: "soft", role: "status", id: `${place.id}-count` }),
    more: make("button", { type: "button", hidden: true }, "Show more") };
  place.replaceChildren(make("p", { class: "list-tools" }, make("label", { class: "unseen", for: `${place.id}-search` }, label), parts.search, " ", parts.count),
    make("div", { class: "tall", tabindex: "0", role: "region", "aria-label": "Items" }, make("table", { class: "listed" },
      make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))), parts.rows)), make("p", {}, parts.more));
  return parts;
}
