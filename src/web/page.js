/* What all pages share: asking the server, making elements, showing a post. */
import { colour } from "./code.js";
import { mathStyle, typeset } from "./math.js";

let task = null; // that the page is about, see showPages()

/* Addresses are relative: a proxy may serve the pages below a path. */
export const handle = location.pathname.split("/").at(-2);
export const address = (name) => `../../api/${handle}/${name}`;

const ANSWER_MS = 20000; // then nobody is there
const AGAIN_MS = [200, 600, 1500]; // asking again is harmless

/* The server has answered, and said no. */
export class Refused extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

/* A proxy between may answer by a page of its own. */
async function read(answer) {
  const said = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(said?.error ?? `the server answered ${answer.status}`, answer.status);
  if (said === null) throw new Error("no answer");
  return said;
}

const ask = async (name, how) => read(await fetch(address(name), { ...how, signal: AbortSignal.timeout(ANSWER_MS) }));

export async function get(name, times = AGAIN_MS) {
  try {
    return await ask(name, {});
  } catch (error) {
    if (times.length === 0 || (error instanceof Refused && error.status < 500)) throw error;
    await new Promise((done) => setTimeout(done, times[0]));
    return get(name, times.slice(1));
  }
}

export async function post(name, body) {
  return ask(name, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
}

export const byId = (id) => document.getElementById(id);

/* make("a", {href: "x", class: "y", onclick: f}, "text", other, ...) */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const plural = (count, one, many = one + "s") =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
export const day = (ms) => (ms === null ? "" : new Date(ms).toISOString().slice(0, 10));
export const clock = (ms) => new Date(ms).toLocaleTimeString([], { hour12: false });
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/* A message that stays until the next one; empty: none. */
export function tell(text, bad = false) {
  const place = byId("message");
  place.textContent = text;
  place.classList.toggle("bad", bad);
  place.hidden = text === "";
}

export function tellError(error) {
  tell(error instanceof Refused ? error.message + "." : "The server does not answer. Is it running?", true);
}

/* Of images the server may have copies; they stand in their links. */
function showImages(part, images) {
  for (const link of part.querySelectorAll("a.image")) {
    const copy = images.find((one) => one.link === (link.dataset.image ?? link.getAttribute("href")));
    if (copy !== undefined) link.append(make("img", { alt: "", loading: "lazy",
      src: address(`image/${copy.name.split("/").map(encodeURIComponent).join("/")}`) }));
  }
}

/* The server has made this html harmless (text/sanitise.c). */
function body(post, tags) {
  const part = make("div", { class: "body" });
  part.innerHTML = post.html;
  for (const code of part.querySelectorAll("pre:has(code)")) colour(code, tags);
  showImages(part, post.images);
  return part;
}

/* What a commit changed (text/diff.c), or why it cannot be shown. */
function changes(item) {
  if (item.diff === "" && item.no_diff === "") return null;
  const part = make("section", { "aria-label": "Changes" });
  if (item.diff === "") part.append(make("p", { class: "soft" }, `No changes to show: ${item.no_diff}.`));
  else part.innerHTML = item.diff;
  return part;
}

function comments(list) {
  if (list.length === 0) return null;
  return make("details", { class: "comments" }, make("summary", {}, plural(list.length, "comment")),
    make("ul", {}, list.map((one) => make("li", {}, one.text, " ",
      make("span", { class: "soft" }, day(one.created))))));
}

const facts = (one) => make("p", { class: "facts" }, factsOf(one));

function factsOf(one) {
  return [
    one.score === null ? null : make("span", {}, `score ${one.score}`),
    one.created === null ? null : make("span", {}, day(one.created)),
    one.accepted ? make("span", { class: "accepted" }, "\u2713 accepted") : null];
}

/* Answers fold; whether they are open is remembered from item to item. */
const FOLDED = "assay-answers-folded";

function answer(one, tags) {
  return make("details", { class: one.accepted ? "answer is-accepted" : "answer", open: localStorage.getItem(FOLDED) !== "true" },
    make("summary", { class: "facts" }, make("span", {}, "Answer"), factsOf(one)), body(one, tags), comments(one.comments));
}

function toggle(place, what) {
  const all = [...place.querySelectorAll(what)], open = all.some((one) => !one.open);
  for (const one of all) one.open = open;
  return open;
}

export const toggleComments = (place) => toggle(place, "details.comments");
export const toggleAnswers = (place) => localStorage.setItem(FOLDED, !toggle(place, "details.answer"));

function fields(list) {
  if (list.length === 0) return null;
  return make("table", { class: "fields" }, make("tbody", {}, list.map((one) =>
    make("tr", {}, make("th", { scope: "row" }, one.name), make("td", {}, one.value)))));
}

/* The post as on its site, or that it is gone. */
export function showItem(place, item) {
  place.dataset.item = item.id;
  if (item.gone !== undefined) {
    place.replaceChildren(make("h1", {}, "This item is gone"),
      make("p", {}, `${item.gone}: the study\u2019s data have been read anew since it was drawn. It cannot be labelled; go on with the next.`));
    return;
  }
  const title = item.title === "" ? `Item ${item.key}` : item.title;
  place.replaceChildren(...[
    make("h1", { "data-title": item.title !== "" }, title),
    facts(item),
    item.tags.length === 0 ? null
      : make("ul", { class: "tags", "aria-label": "Tags" }, item.tags.map((tag) => make("li", {}, tag))),
    fields(item.fields),
    body(item, item.tags),
    changes(item),
    comments(item.comments),
    item.link === "" ? null : make("p", { class: "soft" }, make("a",
      { href: item.link, target: "_blank", rel: "noopener noreferrer" }, "On the site")),
    item.answers.length === 0 ? null : make("h2", {}, plural(item.answers.length, "answer")),
    ...item.answers.map((one) => answer(one, item.tags)),
  ].filter((part) => part !== null));
  typeset(place, mathStyle(task?.mathematics ?? "auto", item.link)).catch(() => {}); // without it TeX stays as it is
}

/* Links to the other pages of somebody with several roles. */
export function showPages(about, here) {
  task = about;
  const pages = [["rater", "Label", task.rater], ["lead", "Lead", task.lead],
    ["arbiter", "Adjudicate", task.arbiter], ["items", task.arbiter ? "All items" : "Discussion", true]].filter((page) => page[2]);
  byId("study").textContent = task.title;
  document.title = `${task.task}: ${task.title}`;
  byId("pages").replaceChildren(...(pages.length < 2 ? [] : pages.map(([page, name]) =>
    make("a", { href: page, "aria-current": page === here ? "page" : null }, name))));
}

const takesText = (at) => at.tagName === "TEXTAREA" || at.tagName === "SELECT" ||
  (at.tagName === "INPUT" && at.type !== "checkbox" && at.type !== "radio");

/* The field that somebody is typing into; null: none. */
export const typing = () => (takesText(document.activeElement ?? document.body) ? document.activeElement : null);

/* A key that was pressed before the field was there. */
export function typeInto(field, key) {
  if (key.length > 1 && key !== "Backspace") field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  else if (key === "Backspace") field.value = field.value.slice(0, -1);
  else field.value += key;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/* Whether a key press is meant for the page, not for a field. */
export function isFree(event) {
  return !takesText(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey &&
    document.querySelector("dialog[open]") === null;
}
