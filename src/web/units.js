/* Units of an item: which lines of a text or diff can be marked, and choosing some of them. A
 * line has its place in data-place: PATH:R12 of a diff (text/diff.c), body:3 of a text. */
import { tell } from "./page.js";

/* {part, side, first, last}; null: lines are not said. */
export function readPlace(place) {
  const found = /^(.+):([LR]?)(\d+)(?:-[LR]?(\d+))?$/.exec(place);
  return found === null ? null
    : { part: found[1], side: found[2], first: Number(found[3]), last: Number(found[4] ?? found[3]) };
}

/* Paragraphs, lists and blocks of code of each text are numbered. */
export function numberTexts(post) {
  let answers = 0;
  for (const text of post.querySelectorAll(".body")) {
    const part = text.closest(".answer") === null ? "body" : `answer-${++answers}`;
    [...text.children].forEach((block, i) => { block.dataset.place = `${part}:${i + 1}`; });
  }
}

const linesOf = (post) => [...post.querySelectorAll("[data-place]")].filter((line) => readPlace(line.dataset.place) !== null);

function isWithin(line, place) {
  const at = readPlace(line.dataset.place);
  return place !== null && at !== null && at.part === place.part && at.side === place.side &&
    at.first >= place.first && at.last <= place.last;
}

/* Shows which lines are in units; the current one's stand out. */
export function showPlaces(post, places, current) {
  const all = places.map(readPlace), now = readPlace(current);
  for (const line of linesOf(post)) {
    line.classList.toggle("in-unit", all.some((place) => isWithin(line, place)));
    line.classList.toggle("in-this-unit", isWithin(line, now));
  }
}

export function scrollToPlace(post, place) {
  const line = linesOf(post).find((one) => isWithin(one, readPlace(place)));
  line?.closest("details")?.setAttribute("open", "");
  line?.scrollIntoView({ block: "center" });
}

/* From the lines between two: those on the side of the first. */
export function placeOf(lines) {
  const all = lines.map((line) => readPlace(line.dataset.place));
  const first = all[0], same = all.filter((one) => one.part === first.part && one.side === first.side);
  if (all.some((one) => one.part !== first.part)) return null;
  const from = Math.min(...same.map((one) => one.first)), to = Math.max(...same.map((one) => one.last));
  return `${first.part}:${first.side}${from}${to > from ? `-${first.side}${to}` : ""}`;
}

/* Choosing lines with the keyboard, the mouse, or what is selected. */
export class Placing {
  /* chosen(place): what was chosen. */
  constructor(post, chosen) {
    this.post = post;
    this.chosen = chosen;
    this.on = false;
    post.addEventListener("click", (event) => {
      const line = event.target.closest("[data-place]");
      if (!this.on || line === null) return;
      if (!event.shiftKey) this.anchor = line;
      this.cursor = line;
      event.preventDefault();
      this.end(true);
    });
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  visible() {
    return linesOf(this.post).filter((line) => line.getClientRects().length > 0);
  }

  /* What is selected is taken at once. */
  begin() {
    const selected = getSelection(), lines = this.visible();
    if (lines.length === 0) {
      tell("This item has no lines to choose from; give the unit a name.", true);
      return;
    }
    const taken = selected.isCollapsed ? [] : lines.filter((line) => selected.containsNode(line, true));
    if (taken.length > 0) {
      selected.removeAllRanges();
      [this.anchor, this.cursor, this.on] = [taken[0], taken.at(-1), true];
      this.end(true);
      return;
    }
    this.on = true;
    this.anchor = this.cursor = lines.find((line) => line.classList.contains("in-this-unit")) ??
      lines.find((line) => line.getBoundingClientRect().top > 60) ?? lines[0];
    this.show();
    tell("Click on a line, with Shift to go on from the first; or choose with arrows and Enter. Escape leaves.");
  }

  between() {
    const lines = this.visible(), a = lines.indexOf(this.anchor), b = lines.indexOf(this.cursor);
    const some = lines.slice(Math.min(a, b), Math.max(a, b) + 1);
    return a <= b ? some : some.reverse();
  }

  show() {
    const chosen = new Set(this.on ? this.between() : []);
    this.post.classList.toggle("placing", this.on);
    for (const line of linesOf(this.post)) line.classList.toggle("chosen-line", chosen.has(line));
    if (!this.on) return;
    this.cursor.tabIndex = -1;
    this.cursor.focus({ preventScroll: true });
    this.cursor.scrollIntoView({ block: "nearest" });
  }

  end(take) {
    const place = take ? placeOf(this.between()) : "";
    this.on = false;
    this.show();
    this.post.focus({ preventScroll: true });
    tell(place === null ? "A unit is in one file or text: choose lines of one." : "", place === null);
    if (place) this.chosen(place);
  }

  key(event) {
    if (!this.on || document.querySelector("dialog[open]") !== null) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) {
      const lines = this.visible(), at = lines.indexOf(this.cursor) + step;
      this.cursor = lines[Math.max(0, Math.min(lines.length - 1, at))];
      if (!event.shiftKey) this.anchor = this.cursor;
      this.show();
    } else if (event.key === "Enter" || event.key === "Escape") {
      this.end(event.key === "Enter");
    } else if (event.key !== ";" && event.key !== "Tab") {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/* What a unit is called where there is little room. */
export const unitTitle = (unit) => unit.name || unit.place || `unit ${unit.unit}`;
