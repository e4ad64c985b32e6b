/* The codebook as a text to read: what each code means, when it is given and when not, with examples; and what
 * has changed since this person last looked. */
import { byId, handle, make } from "./page.js";

const seenName = "assay-codebook-" + handle;
const textOf = (code) => JSON.stringify([code.name, code.definition, code.use_when, code.not_when, code.examples, code.counter_examples]);

/* {path: text} of all codes. */
const snapshot = (task) => Object.fromEntries(task.dimensions.flatMap((dimension) =>
  dimension.codes.map((code) => [`${dimension.id}/${code.path}`, textOf(code)])));

/* What differs from what was seen; null: nothing was seen before. */
function changes(task) {
  const before = JSON.parse(localStorage.getItem(seenName) ?? "null"), now = snapshot(task);
  if (before === null) return null;
  const of = (one, other, test) => Object.keys(one).filter((path) => test(other[path], one[path]));
  return { added: new Set(of(now, before, (old) => old === undefined)),
    changed: new Set(of(now, before, (old, text) => old !== undefined && old !== text)),
    gone: of(before, now, (text) => text === undefined) };
}

function entry(dimension, code, since) {
  const path = `${dimension.id}/${code.path}`;
  const part = (name, text) => (text === "" ? null : make("p", {}, make("b", {}, `${name} `), text));
  const list = (name, texts) => (texts.length === 0 ? null
    : make("div", {}, make("b", {}, name), make("ul", {}, texts.map((one) => make("li", {}, one)))));
  const mark = since?.added.has(path) ? " new" : since?.changed.has(path) ? " changed" : "";
  return make("section", { class: `rule level${code.level}`, "data-path": path },
    make("h4", {}, code.name, make("span", { class: "warning" }, mark)),
    code.definition === "" ? null : make("p", {}, code.definition),
    part("Use when", code.use_when), part("Not when", code.not_when),
    list("Examples", code.examples), list("Counter-examples", code.counter_examples));
}

/* Whether there is something that this person has not seen. */
export function hasNews(task) {
  const since = changes(task);
  if (since === null) localStorage.setItem(seenName, JSON.stringify(snapshot(task)));
  return since !== null && since.added.size + since.changed.size + since.gone.length > 0;
}

/* The dialog of this page, made when it is first asked for; what stands in it. */
function dialog() {
  if (byId("guidelines") === null) document.body.append(make("dialog", { id: "guidelines", class: "broad", "aria-labelledby": "guidelines-title" },
    make("h2", { id: "guidelines-title" }, "Guidelines"),
    make("div", { id: "guidelines-text", class: "tall", tabindex: "0", role: "region", "aria-label": "Codes" }),
    make("button", { type: "button", class: "main", onclick: () => byId("guidelines").close() }, "Close")));
  return byId("guidelines-text");
}

export function showGuidelines(task) {
  const since = changes(task);
  dialog().replaceChildren(
    ...(since === null || since.gone.length === 0 ? []
      : [make("p", { class: "warning" }, `No longer there: ${since.gone.join(", ")}.`)]),
    ...task.dimensions.flatMap((dimension) => [make("h3", {}, dimension.name,
      make("span", { class: "soft" }, dimension.several ? " several codes may be given" : " one code is given")),
    ...dimension.codes.map((code) => entry(dimension, code, since))]));
  byId("guidelines").showModal();
  localStorage.setItem(seenName, JSON.stringify(snapshot(task)));
}
