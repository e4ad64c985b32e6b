/* Evidence: words and lines of an item that decided. A place is counted in characters of a part of the
 * item's text, "body@120-135", which the server makes in the same way (text/plain.c); of a diff it is
 * lines, "src/net.py:R12-R15". */
import { make, tell } from "./page.js";
import { placeOf, readPlace } from "./units.js";

const BLOCKS = new Set(("P BR PRE BLOCKQUOTE UL OL LI DL DT DD H1 H2 H3 H4 H5 H6 HR TABLE CAPTION THEAD TBODY TFOOT TR TD TH " +
  "DIV SECTION DETAILS SUMMARY").split(" "));
const SHOWN = 60; // characters of a quote in lists
const COLOURS = 6;
const length = (text) => [...text].length;

/* Which element holds which part. */
function partsOf(post) {
  const parts = new Map();
  const title = post.querySelector("h1[data-title]");
  if (title !== null) parts.set("title", title);
  let answers = 0;
  for (const text of post.querySelectorAll(".body"))
    parts.set(text.closest(".answer") === null ? "body" : `answer-${++answers}`, text);
  return parts;
}

/* The text of a part, with where its pieces stand: {node, begin, end}. What a page put in place of a text,
 * such as a formula, has that text in data-source, and what it added to the post data-extra. */
function read(root) {
  const pieces = [];
  let text = "", at = 0;
  const add = (node, piece) => {
    pieces.push({ node, begin: at, end: at + length(piece) });
    at = pieces.at(-1).end;
    text += piece;
  };
  const line = () => {
    if (text === "" || text.endsWith("\n")) return;
    text += "\n";
    at++;
  };
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) add(child, child.data);
      if (child.nodeType !== Node.ELEMENT_NODE || child.dataset.extra !== undefined) continue;
      if (child.dataset.source !== undefined) add(child, child.dataset.source);
      else {
        if (BLOCKS.has(child.tagName)) line();
        walk(child);
        if (BLOCKS.has(child.tagName)) line();
      }
    }
  };
  walk(root);
  return { text: [...text], pieces };
}

const isText = (node) => node.nodeType === Node.TEXT_NODE;

/* Of a selection within one part: {begin, end} without white space at its ends; null: nothing. */
function measure(part, range) {
  const { text, pieces } = read(part);
  let begin = Infinity, end = -1;
  for (const piece of pieces.filter((one) => range.intersectsNode(one.node))) {
    const from = isText(piece.node) && piece.node === range.startContainer
      ? piece.begin + length(piece.node.data.slice(0, range.startOffset)) : piece.begin;
    const to = isText(piece.node) && piece.node === range.endContainer
      ? piece.begin + length(piece.node.data.slice(0, range.endOffset)) : piece.end;
    if (from < to) [begin, end] = [Math.min(begin, from), Math.max(end, to)];
  }
  while (begin < end && /\s/u.test(text[begin])) begin++;
  while (begin < end && /\s/u.test(text[end - 1])) end--;
  return begin < end ? { begin, end, quote: text.slice(begin, end).join("") } : null;
}

const diffLines = (post) => [...post.querySelectorAll(".diff [data-place]")];

/* {place, quote} of what is selected in the post; null: nothing that can be marked. */
export function selected(post) {
  const selection = getSelection();
  if (selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const lines = diffLines(post).filter((line) => range.intersectsNode(line));
  if (lines.length > 0) {
    const place = placeOf(lines);
    return place === null ? null : { place, quote: "" };
  }
  for (const [name, part] of partsOf(post)) {
    const found = range.intersectsNode(part) ? measure(part, range) : null;
    if (found !== null) return { place: `${name}@${found.begin}-${found.end}`, quote: found.quote };
  }
  return null;
}

/* Where the character of a number begins in a text. */
function unitOf(text, character) {
  let at = 0;
  for (let left = character; left > 0; left--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/* A point of the text as a node and an offset; of a piece that is no text, its edge. */
function pointOf(pieces, at, isEnd) {
  const piece = pieces.find((one) => (isEnd ? at > one.begin && at <= one.end : at >= one.begin && at < one.end));
  if (piece === undefined) return null;
  return isText(piece.node) ? [piece.node, unitOf(piece.node.data, at - piece.begin)]
    : [piece.node.parentNode, [...piece.node.parentNode.childNodes].indexOf(piece.node) + (isEnd ? 1 : 0)];
}

/* The range of a place; null: the item has no such place. */
export function rangeOf(post, place) {
  const found = /^(.+)@(\d+)-(\d+)$/.exec(place), range = new Range();
  if (found === null) {
    const wanted = readPlace(place);
    const lines = diffLines(post).filter((line) => {
      const at = readPlace(line.dataset.place);
      return wanted !== null && at.part === wanted.part && at.side === wanted.side && at.first >= wanted.first && at.last <= wanted.last;
    });
    if (lines.length === 0) return null;
    range.setStartBefore(lines[0]);
    range.setEndAfter(lines.at(-1));
    return range;
  }
  const part = partsOf(post).get(found[1]);
  if (part === undefined) return null;
  const { pieces } = read(part), begin = pointOf(pieces, Number(found[2]), false), end = pointOf(pieces, Number(found[3]), true);
  if (begin === null || end === null) return null;
  range.setStart(...begin);
  range.setEnd(...end);
  return range;
}

/* Shows spans in the text: of each list one colour. */
export function highlight(post, lists) {
  if (CSS.highlights === undefined) return; // the lists beside the text tell them
  for (let i = 0; i < COLOURS; i++) {
    const ranges = lists.filter((_, list) => list % COLOURS === i).flat().map((span) => rangeOf(post, span.place))
      .filter((range) => range !== null);
    if (ranges.length === 0) CSS.highlights.delete(`span-${i}`);
    else CSS.highlights.set(`span-${i}`, new Highlight(...ranges));
  }
}

export const colourOf = (list) => `span-key span-key-${list % COLOURS}`;

/* The words of a span where there is little room. */
export function shorten(span) {
  const words = [...span.quote.replace(/\s+/gu, " ")];
  return words.length === 0 ? span.place : words.length <= SHOWN ? words.join("") : words.slice(0, SHOWN).join("") + "\u2026";
}

/* Scrolls to a span, and selects it for a moment to see. */
export function goTo(post, span) {
  const range = rangeOf(post, span.place);
  if (range === null) {
    tell("These words are no longer in the item.", true);
    return;
  }
  const element = range.startContainer.nodeType === Node.TEXT_NODE ? range.startContainer.parentElement : range.startContainer;
  for (let at = element; at !== null && at !== post; at = at.parentElement)
    if (at.tagName === "DETAILS") at.open = true;
  element.scrollIntoView({ block: "center" });
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

/* A button for each span, which leads to it, and what stands behind it. */
export const spanList = (post, spans, behind) => make("ul", { class: "span-list" }, spans.map((span) => make("li", {},
  make("button", { type: "button", class: "span-quote", title: span.quote, onclick: () => goTo(post, span) }, shorten(span)), behind(span))));

/* Choosing: what is selected by mouse or touch, or word by word with the keyboard. */
export class Choosing {
  /* chosen({place, quote}): something is to be marked. */
  constructor(post, chosen) {
    this.post = post;
    this.chosen = chosen;
    this.allowed = () => true;
    this.on = false;
    this.button = make("button", { type: "button", id: "span-here", class: "main", hidden: true, "aria-keyshortcuts": "'",
      onpointerdown: (event) => event.preventDefault(), onclick: () => this.take() }, "Mark as evidence ", make("kbd", {}, "'"));
    document.body.append(this.button);
    document.addEventListener("selectionchange", () => this.offer());
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  /* Near the end of the selection, where a finger or the pointer is. */
  offer() {
    const found = this.on || !this.allowed() ? null : selected(this.post);
    this.button.hidden = found === null;
    if (found === null) return;
    const box = getSelection().getRangeAt(0).getBoundingClientRect();
    const left = Math.min(box.left + scrollX, scrollX + document.documentElement.clientWidth - this.button.offsetWidth - 8);
    this.button.style.left = `${Math.max(4, left)}px`;
    this.button.style.top = `${box.bottom + scrollY + 6}px`;
  }

  take() {
    const found = selected(this.post);
    this.end();
    if (found === null) tell("Select words of the post first, of one text or file.", true);
    else this.chosen(found);
  }

  end() {
    this.on = false;
    getSelection().removeAllRanges();
    this.button.hidden = true;
  }

  /* With something selected that is marked; else words are chosen with the arrow keys. */
  begin() {
    if (selected(this.post) !== null) {
      this.take();
      return;
    }
    this.words = this.readWords();
    if (this.words.length === 0) {
      tell("This item has no text to mark.", true);
      return;
    }
    this.on = true;
    const visible = this.words.findIndex((word) => word.range().getBoundingClientRect().top > 60);
    this.anchor = this.cursor = Math.max(0, visible);
    this.show();
    tell("Arrows choose words, up and down lines, with Shift several; Enter marks, Escape leaves.");
  }

  /* Words of texts and lines of diffs, in the order of the page. */
  readWords() {
    const words = [];
    for (const [name, part] of partsOf(this.post)) {
      const { text, pieces } = read(part), whole = text.join("");
      let line = 0, next = 0, at = 0; // next: characters before the unit `at`
      for (const found of whole.matchAll(/\S+|\n/gu)) {
        if (found[0] === "\n") { line++; continue; }
        const begin = next + length(whole.slice(at, found.index)), end = begin + length(found[0]);
        next = end;
        at = found.index + found[0].length;
        words.push({ line: `${name} ${line}`, range: () => {
          const range = new Range();
          range.setStart(...pointOf(pieces, begin, false));
          range.setEnd(...pointOf(pieces, end, true));
          return range;
        } });
      }
    }
    for (const line of diffLines(this.post)) words.push({ line: line.dataset.place, range: () => {
      const range = new Range();
      range.selectNodeContents(line);
      return range;
    } });
    const order = (one, other) => one.compareBoundaryPoints(Range.START_TO_START, other);
    const ranges = new Map(words.map((word) => [word, word.range()]));
    return words.sort((one, other) => order(ranges.get(one), ranges.get(other)))
      .filter((word) => ranges.get(word).getClientRects().length > 0);
  }

  show() {
    const [first, last] = [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)];
    const from = this.words[first].range(), to = this.words[last].range();
    getSelection().setBaseAndExtent(from.startContainer, from.startOffset, to.endContainer, to.endOffset);
    const now = this.words[this.cursor].range(), element = now.startContainer.parentElement;
    const box = now.getBoundingClientRect();
    if (box.top < 60 || box.bottom > innerHeight) element.scrollIntoView({ block: "center" });
  }

  /* The first word of the next or the last line. */
  line(by) {
    let at = this.cursor;
    while (this.words[at + by] !== undefined && this.words[at].line === this.words[at + by].line) at += by;
    at = Math.max(0, Math.min(this.words.length - 1, at + by));
    while (by < 0 && this.words[at - 1]?.line === this.words[at].line) at--;
    return at;
  }

  key(event) {
    if (!this.on || document.querySelector("dialog[open]") !== null) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], lines = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined || lines !== undefined) {
      const at = step === undefined ? this.line(lines) : this.cursor + step;
      this.cursor = Math.max(0, Math.min(this.words.length - 1, at));
      if (!event.shiftKey) this.anchor = this.cursor;
      this.show();
    } else if (event.key === "Enter" || event.key === "'") {
      tell("");
      this.take();
    } else if (event.key === "Escape") {
      tell("");
      this.end();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
