/* Finding words in the post on show: those of the study, on request, and what one looks for. They are coloured
 * by the browser's own highlights, so that the post stays as it is. */
import { byId, make } from "./page.js";

const WORDS_ON = "assay-words";
const BLOCK = "p, li, pre, h1, h2, h3, td, th, dd, dt, blockquote, summary, .diff-line, .body, article";
const LETTER = String.raw`[\p{L}\p{N}_]`;

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/\s+/g, "\\s+");

/* Of words as the server sends them; null: there are none. */
export function wordPattern(words) {
  const parts = words.map(({ text, match }) => (match === "part" ? escaped(text)
    : `(?<!${LETTER})${escaped(text)}${match === "prefix" ? `${LETTER}*` : `(?!${LETTER})`}`));
  return parts.length === 0 ? null : new RegExp(parts.join("|"), "giu");
}

/* All text of the post with where each piece of it stands; a block ends a line. */
function textOf(post) {
  const walker = document.createTreeWalker(post, NodeFilter.SHOW_TEXT), pieces = [];
  let text = "", last = null;
  while (walker.nextNode()) {
    const node = walker.currentNode, block = node.parentElement.closest(BLOCK);
    if (node.parentElement.closest(".math") !== null) continue; // what is typeset is not shown as it is written
    if (last !== null && block !== last) text += "\n";
    last = block;
    pieces.push({ node, at: text.length });
    text += node.data;
  }
  return { text, pieces };
}

function rangesOf(post, pattern) {
  const { text, pieces } = textOf(post);
  const place = (at) => {
    let low = 0, high = pieces.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (pieces[middle].at <= at) low = middle;
      else high = middle - 1;
    }
    return [pieces[low].node, Math.min(at - pieces[low].at, pieces[low].node.length)];
  };
  return [...text.matchAll(pattern)].filter((match) => match[0] !== "").map((match) => {
    const range = new Range();
    range.setStart(...place(match.index));
    const [node, offset] = place(match.index + match[0].length - 1);
    range.setEnd(node, Math.min(offset + 1, node.length));
    return range;
  });
}

function paint(name, ranges) {
  if (CSS.highlights === undefined) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

/* The row of tools above the post. */
export class Reading {
  constructor(post, words) {
    this.post = post;
    this.pattern = wordPattern(words);
    this.found = [];
    this.at = -1;
    this.on = localStorage.getItem(WORDS_ON) === "true";
    this.button = make("button", { type: "button", class: "quiet", "aria-keyshortcuts": ",", hidden: this.pattern === null ||
      CSS.highlights === undefined, onclick: () => this.toggle() }, "Words of the study ", make("kbd", {}, ","));
    this.field = make("input", { type: "search", id: "find", placeholder: "Search this post ( . )", autocomplete: "off",
      "aria-keyshortcuts": ".", oninput: () => this.search(), onkeydown: (event) => this.key(event) });
    this.count = make("span", { class: "soft", role: "status", id: "found" });
    byId("reading").replaceChildren(make("label", { class: "unseen", for: "find" }, "Search this post"), this.field, this.count, this.button);
    this.show();
  }

  /* Anew, when another post is shown or this one is set anew. */
  show() {
    this.button.setAttribute("aria-pressed", this.on);
    paint("study-words", this.on && this.pattern !== null ? rangesOf(this.post, this.pattern) : []);
    this.search(false);
  }

  toggle() {
    this.on = !this.on;
    localStorage.setItem(WORDS_ON, this.on);
    this.show();
  }

  search(move = true) {
    const wanted = this.field.value.trim();
    this.found = wanted === "" ? [] : rangesOf(this.post, new RegExp(escaped(wanted), "giu"));
    this.at = -1;
    paint("found", this.found);
    paint("found-now", []);
    this.count.textContent = wanted === "" ? "" : this.found.length === 0 ? "not found" : `${this.found.length} found`;
    if (move && this.found.length > 0) this.go(1);
  }

  go(by) {
    const count = this.found.length;
    if (count === 0) return;
    this.at = (this.at + by + count) % count;
    const range = this.found[this.at], holder = range.startContainer.parentElement;
    for (let fold = holder.closest("details:not([open])"); fold !== null; fold = holder.closest("details:not([open])")) fold.open = true;
    paint("found-now", [range]);
    this.count.textContent = `${this.at + 1} of ${count}`;
    holder.scrollIntoView({ block: "center" });
  }

  key(event) {
    if (event.key === "Enter") this.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      this.field.value = "";
      this.search();
      this.post.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
  }

  focus() {
    this.field.focus();
    this.field.select();
  }
}
