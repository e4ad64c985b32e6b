/* The rater's page: an item, the codes, and keys for everything. */
import { byId, clock, get, handle, isFree, make, plural, post, randomKey, showItem, showPages,
  tell, tellError } from "./page.js";
import { Queue } from "./queue.js";
import { numberTexts, Placing, scrollToPlace, showPlaces, unitTitle } from "./units.js";

const KEYS = "1234567890abefghijkloqrstvwyzABEFGHIJKLOQRSTVWYZ";
const state = {
  task: null,
  place: null,      // the item on show, as the server sent it
  review: null,     // the label that is looked at again after a change of the codebook
  said: new Map(),  // by dimension: {codes, memo, unsure}; of the unit, where there are units
  units: [],        // {unit, place, name, said}, of tasks with units; said: as above
  unit: 0,          // which of them
  nextUnit: 1,      // what the next one is called
  active: 0,        // the dimension that keys speak of
  restoring: false, // the focus is being put back
  keys: new Map(),  // key: code of the active dimension
  shownAt: 0,       // since when this item has been looked at; 0: it is hidden
  looked: 0,        // milliseconds before that
  visited: new Map(), // item: position
  history: [],      // what was said on this page, to be taken back: {item, again, unit, dimension, before, key}
  undone: new Set() // keys of undos that the page has shown already
};

/* Saving. */

const queue = new Queue(handle, (waiting, connected, answer, act) => {
  const saved = byId("saved");
  saved.className = connected ? "" : "bad";
  if (!connected) saved.textContent = `Not connected: ${plural(waiting, "act")} kept here, sent later`;
  else if (waiting > 0) saved.textContent = "Saving";
  else if (answer !== null) saved.textContent = `Saved ${clock(answer.at ?? Date.now())}`;
  if (answer?.progress) showProgress(answer.progress);
  if (answer !== null && act.kind === "undo") showUndone(act, answer);
}, (error, act) => {
  tell(act.kind === "undo" ? `Not undone: ${error.message}.` : `Not saved: ${error.message}.`, true);
  if (state.place !== null && state.review === null && (act.body.item ?? state.place.item.id) === state.place.item.id)
    open(`at/${state.place.position}`);
});

function seconds() {
  const now = performance.now();
  const all = state.looked + (state.shownAt > 0 ? now - state.shownAt : 0);
  state.looked = 0;
  state.shownAt = document.hidden ? 0 : now;
  return Math.round(all) / 1000;
}

document.addEventListener("visibilitychange", () => {
  const now = performance.now();
  if (document.hidden && state.shownAt > 0) state.looked += now - state.shownAt;
  state.shownAt = document.hidden ? 0 : now;
});

/* before: what had been said of it; undefined: nothing. */
function save(dimension, before) {
  const label = state.said.get(dimension.id), key = randomKey();
  if (label === undefined || label.codes.length === 0 || state.review !== null) return;
  const at = { item: state.place.item.id, again: state.place.again, unit: state.units[state.unit]?.unit };
  state.history.push({ ...at, dimension: dimension.id, before, key });
  queue.add("label", { ...at, dimension: dimension.id,
    codes: label.codes, memo: label.memo, unsure: label.unsure, seconds: seconds(), key });
}

const dimensions = () => (state.review === null ? state.task.dimensions
  : state.task.dimensions.filter((dimension) => dimension.id === state.review.dimension));
const isDone = (dimension) => (state.said.get(dimension.id)?.codes.length ?? 0) > 0;

function give(dimension, code) {
  const before = state.said.get(dimension.id);
  const label = { codes: [], memo: byId("memo").value, unsure: byId("unsure").checked, ...before };
  const had = label.codes.includes(code.path);
  if (had && (!dimension.several || label.codes.length === 1)) return;
  if (!dimension.several) label.codes = [code.path];
  else label.codes = had ? label.codes.filter((path) => path !== code.path) : [...label.codes, code.path];
  state.said.set(dimension.id, label);
  save(dimension, before);
  byId("search").value = "";
  goOn(dimension);
}

/* To the next dimension that lacks a label; with all of them, if asked for, to the next item. */
function goOn(dimension) {
  const open = dimensions().findIndex((other) => !isDone(other));
  state.active = dimension.several ? dimensions().indexOf(dimension) : open < 0 ? state.active : open;
  showCodes();
  showUnits();
  if (open < 0 && byId("auto").checked && !dimension.several && state.review === null) {
    const other = state.units.findIndex((unit) => !isUnitDone(unit));
    if (other >= 0) chooseUnit(other);
    else step(1);
  }
}

/* The memo and the flag belong to the item: they go with every label of it. */
function saveExtras() {
  const memo = byId("memo").value, unsure = byId("unsure").checked;
  for (const dimension of dimensions()) {
    const label = state.said.get(dimension.id);
    if (label === undefined || (label.memo === memo && label.unsure === unsure)) continue;
    state.said.set(dimension.id, { ...label, memo, unsure });
    save(dimension, label);
  }
}

/* Units. */

const hasUnits = () => state.task.units && state.review === null;
const isUnitDone = (unit) => state.task.dimensions.every((one) => (unit.said.get(one.id)?.codes.length ?? 0) > 0);

/* As the server has them; an item begins with one that nobody has marked. */
function readUnits(place) {
  state.units = (place.units ?? []).map((one) => ({ ...one, said: new Map() }));
  state.nextUnit = place.next_unit ?? 1;
  if (state.units.length === 0) state.units.push({ unit: String(state.nextUnit++), place: "", name: "", said: new Map() });
  for (const one of place.said)
    state.units.find((unit) => unit.unit === one.unit)?.said.set(one.dimension,
      { codes: one.codes, memo: one.memo, unsure: one.unsure });
  const open = state.units.findIndex((unit) => !isUnitDone(unit));
  state.unit = Math.max(0, open);
  state.said = state.units[state.unit].said;
}

function showUnits() {
  byId("units").hidden = !hasUnits();
  if (!hasUnits()) return;
  const now = state.units[state.unit];
  byId("unit-list").replaceChildren(...state.units.map((unit, i) => make("button", { type: "button", class: "unit",
    "aria-pressed": String(i === state.unit), "data-unit": unit.unit, onclick: () => chooseUnit(i) },
  unitTitle(unit), isUnitDone(unit) ? " \u2713" : "")),
  make("button", { type: "button", id: "add-unit", "aria-keyshortcuts": "+", onclick: addUnit }, "Add a unit ", make("kbd", {}, "+")));
  if (document.activeElement !== byId("unit-name")) byId("unit-name").value = now.name;
  byId("unit-place").textContent = now.place === "" ? "Not placed." : now.place;
  byId("remove-unit").disabled = state.units.length === 1;
  showPlaces(byId("post"), state.units.map((unit) => unit.place), now.place);
}

function chooseUnit(index) {
  if (index === state.unit || state.units[index] === undefined) return;
  saveExtras();
  showUnit(index);
}

function showUnit(index) {
  state.unit = index;
  state.said = state.units[index].said;
  state.active = Math.max(0, dimensions().findIndex((dimension) => !isDone(dimension)));
  showExtras();
  showCodes();
  showUnits();
  if (state.units[index].place !== "") scrollToPlace(byId("post"), state.units[index].place);
}

/* What was there before goes into the history, to be put back. */
function tellUnit(unit, remove) {
  const key = randomKey(), at = { item: state.place.item.id, again: state.place.again, unit: unit.unit };
  state.history.push({ ...at, units: state.shown, at: state.unit, key });
  state.shown = state.units.map((one) => ({ ...one }));
  queue.add("unit", { ...at, place: unit.place, name: unit.name, remove, key });
}

function addUnit() {
  if (!hasUnits() || state.place === null) return;
  const unit = { unit: String(state.nextUnit++), place: "", name: "", said: new Map() };
  state.units.push(unit);
  tellUnit(unit, false);
  chooseUnit(state.units.length - 1);
}

function removeUnit() {
  if (!hasUnits() || state.place === null || state.units.length === 1) return;
  const [gone] = state.units.splice(state.unit, 1);
  const next = Math.min(state.unit, state.units.length - 1);
  tellUnit(gone, true);
  showUnit(next);
}

function changeUnit(change) {
  const unit = { ...state.units[state.unit], ...change };
  state.units[state.unit] = unit;
  tellUnit(unit, false);
  showUnits();
}

const placing = new Placing(byId("post"), (place) => changeUnit({ place }));

/* Codes. */

function matches(code, words) {
  const text = `${code.name} ${code.path} ${code.definition} ${code.use_when}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/* Those that match, and what they stand below. */
function found(dimension) {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const hits = dimension.codes.filter((code) => matches(code, words));
  const shown = dimension.codes.filter((code) => hits.some((hit) =>
    hit === code || (!hit.special && hit.path.startsWith(code.path + "/"))));
  return { hits: words.length > 0 ? hits : [], shown };
}

function explain(code) {
  const part = (name, text) => (text === "" ? null : make("p", {}, make("b", {}, name + " "), text));
  byId("meaning").replaceChildren(...[make("p", {}, make("b", {}, code.name)),
    code.definition === "" ? null : make("p", {}, code.definition),
    part("Use when", code.use_when), part("Not when", code.not_when),
    part("Examples:", code.examples.join("; "))].filter((one) => one !== null));
}

function codeButton(dimension, code, key) {
  const given = state.said.get(dimension.id)?.codes.includes(code.path) ?? false;
  const button = make("button", { type: "button", class: `code level${code.level}`,
    "aria-pressed": String(given), "aria-keyshortcuts": key ?? null,
    "data-code": `${dimension.id}/${code.path}`,
    "aria-description": code.definition === "" ? null : code.definition,
    onclick: () => give(dimension, code), onfocus: () => explain(code), onmouseenter: () => explain(code) },
  make("kbd", { class: key === undefined ? "none" : "" }, key ?? ""), make("span", {}, code.name));
  return make("li", { class: code.special ? "special" : "" }, button);
}

function showDimension(dimension, index) {
  const active = index === state.active;
  const list = found(dimension).shown;
  const items = list.map((code, i) => {
    const key = active ? KEYS[i] : undefined;
    if (key !== undefined) state.keys.set(key, code);
    return codeButton(dimension, code, key);
  });
  return make("section", { class: active ? "dimension active" : "dimension",
    "aria-label": dimension.name, onfocusin: () => activate(index) },
  make("h2", {}, dimension.name, make("span", { class: "soft" },
    dimension.several ? " several" : "", isDone(dimension) ? " \u2713" : "")),
  make("ul", {}, items.length > 0 ? items : [make("li", { class: "soft" }, "no such code")]));
}

function activate(index) {
  if (state.active === index || state.restoring) return;
  state.active = index;
  showCodes();
}

/* Anew, with the focus where it was; that alone does not change what keys speak of. */
function showCodes() {
  const focused = document.activeElement?.dataset.code;
  state.keys.clear();
  byId("codes").replaceChildren(...dimensions().map(showDimension));
  const buttons = [...byId("codes").querySelectorAll(".code")];
  state.restoring = true;
  buttons.find((button) => button.dataset.code === focused)?.focus({ preventScroll: true });
  state.restoring = false;
}

/* Items. */

function showProgress(progress) {
  byId("count").textContent = `${progress.done} of ${progress.assigned}`;
  byId("progress").max = Math.max(progress.assigned, 1);
  byId("progress").value = progress.done;
}

function showNothing(place) {
  byId("panel").hidden = true;
  byId("post").replaceChildren(
    make("h1", {}, place.open ? "All done" : "No round is open"),
    make("p", {}, place.open ? "You have labelled every item of this round. Thank you."
      : "Whoever leads the study opens the next round; then reload this page."),
    place.open ? make("p", {}, make("button", { type: "button", onclick: () =>
      open(`at/${place.progress.assigned - 1}`) }, "Look at them again")) : "");
}

function showExtras() {
  const said = [...state.said.values()];
  byId("memo").value = said.map((one) => one.memo).find((memo) => memo !== "") ?? "";
  byId("unsure").checked = said[0]?.unsure ?? false;
}

function show(place, review = null) {
  showProgress(place.progress);
  state.review = review;
  state.place = place.found ? place : null;
  if (!place.found) {
    showNothing(place);
    return;
  }
  if (review === null) state.visited.set(place.item.id, place.position);
  if (hasUnits()) readUnits(place);
  else {
    state.units = [];
    state.said = new Map(place.said.map((one) => [one.dimension,
      { codes: one.codes, memo: one.memo, unsure: one.unsure }]));
  }
  state.shown = state.units.map((one) => ({ ...one }));
  showExtras();
  byId("search").value = "";
  byId("meaning").replaceChildren();
  byId("panel").hidden = false;
  byId("previous").disabled = place.position === 0 && review === null;
  state.active = Math.max(0, dimensions().findIndex((dimension) => !isDone(dimension)));
  showItem(byId("post"), place.item);
  byId("post").prepend(make("p", { class: review === null ? "soft" : "warning" }, review === null
    ? `Item ${place.position + 1} of ${place.count}`
    : `To be looked at again, ${place.count} in all: ${review.review}. You said: ${review.codes.join(", ")}. ` +
      "Choose anew, then Next; Previous leaves it for later."));
  if (hasUnits()) numberTexts(byId("post"));
  window.scrollTo(0, 0);
  byId("post").focus({ preventScroll: true });
  showCodes();
  showUnits();
  state.looked = 0;
  state.shownAt = document.hidden ? 0 : performance.now();
}

async function open(name) {
  try {
    show(await get(name));
  } catch (error) {
    tellError(error);
  }
}

/* Labels that a change of the codebook left without a clear successor come first. */
async function begin() {
  const reviews = await get("reviews");
  if (reviews.count === 0) {
    await open("next");
    return;
  }
  const { progress } = await get("next");
  show({ found: true, open: true, progress, position: 0, count: reviews.count, again: false, said: [],
    item: reviews.item }, reviews.said[0]);
}

async function stepReview(by) {
  const { act, item, dimension } = state.review, label = state.said.get(dimension);
  if (by < 0) {
    await open("next");
  } else if (label === undefined) {
    tell("Choose a code first.", true);
  } else {
    await queue.add("review", { act, item, dimension, codes: label.codes, memo: byId("memo").value });
    await begin().catch(tellError);
  }
}

/* Without connection the item on show stays; what was said of it is in the queue. */
async function step(by) {
  if (state.place === null) return;
  tell("");
  if (state.review !== null) {
    await stepReview(by);
    return;
  }
  saveExtras();
  const to = state.place.position + by;
  if (to >= 0 && to < state.place.count) await open(`at/${to}`);
  else if (by > 0) await queue.send().then(() => open("next"));
}

/* What was said last is taken back, also without connection: the server is told so after it
 * was told what was said. */
function undo() {
  const last = state.history.pop();
  const here = last !== undefined && last.item === state.place?.item.id && last.again === state.place.again;
  const key = randomKey();
  tell("");
  if (here) {
    state.undone.add(key);
    if (last.units !== undefined) {
      state.units = last.units.map((one) => ({ ...one }));
      state.shown = last.units;
      state.unit = Math.min(last.at, state.units.length - 1);
    } else if (last.unit !== undefined) {
      state.unit = Math.max(0, state.units.findIndex((one) => one.unit === last.unit));
    }
    if (state.units.length > 0) state.said = state.units[state.unit].said;
    if (last.units !== undefined) state.active = 0;
    else if (last.before === undefined) state.said.delete(last.dimension);
    else state.said.set(last.dimension, last.before);
    if (last.dimension !== undefined) state.active = dimensions().findIndex((one) => one.id === last.dimension);
    showExtras();
    showCodes();
    showUnits();
  }
  queue.add("undo", { key, of: last?.key });
}

/* Where it was said on another item, or before this page was loaded, it is shown as it is now. */
function showUndone(act, answer) {
  const position = state.visited.get(answer.item);
  tell(position === undefined ? "Undone, on an item you had left." : "Undone.");
  if (!state.undone.has(act.body.key)) open(`at/${position ?? state.place?.position ?? 0}`);
}

/* Proposals. */

function askPropose() {
  const dimension = dimensions()[state.active], form = byId("propose-form");
  form.reset();
  form.parent.replaceChildren(make("option", { value: "" }, "(at the top)"),
    ...dimension.codes.filter((code) => !code.special).map((code) =>
      make("option", { value: code.path }, "\u2003".repeat(code.level - 1) + code.name)));
  byId("propose").showModal();
}

byId("propose-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target, name = form.elements.name.value.trim();
  const code = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  try {
    await post("propose", { dimension: dimensions()[state.active].id, parent: form.parent.value, code, name,
      text: form.text.value, item: state.place.item.id });
    tell("Proposed. Whoever leads the study decides on it.");
  } catch (error) {
    tellError(error);
  }
  byId("propose").close();
});

/* Keys. */

function toggleComments() {
  const all = [...document.querySelectorAll("details.comments")];
  const open = all.some((one) => !one.open);
  for (const one of all) one.open = open;
}

function toggleUnsure() {
  byId("unsure").checked = !byId("unsure").checked;
  saveExtras();
}

const actions = { n: () => step(1), p: () => step(-1), u: undo, m: () => byId("memo").focus(),
  "/": () => byId("search").focus(), "?": () => byId("help").showModal(), x: toggleUnsure,
  "+": addUnit, "=": addUnit, "-": removeUnit, "[": () => chooseUnit(state.unit - 1), "]": () => chooseUnit(state.unit + 1),
  ";": () => { if (hasUnits() && state.place !== null) placing.begin(); }, c: toggleComments, d: () => { state.active = (state.active + 1) % dimensions().length; showCodes(); } };

document.addEventListener("keydown", (event) => {
  if (!isFree(event) || state.task === null) return;
  if (event.key === "Enter" && event.target.tagName !== "BUTTON" && event.target.tagName !== "A" &&
      event.target.tagName !== "SUMMARY") actions.n();
  else if (event.key in actions) actions[event.key]();
  else if (state.place !== null && state.keys.has(event.key)) give(dimensions()[state.active], state.keys.get(event.key));
  else return;
  event.preventDefault();
});

byId("search").addEventListener("input", showCodes);
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "Escape" || event.key === "Enter") {
    const first = found(dimensions()[state.active]).hits.find((code) => code.leaf) ??
      found(dimensions()[state.active]).hits[0];
    event.preventDefault();
    byId("post").focus({ preventScroll: true });
    if (event.key === "Enter" && first !== undefined) give(dimensions()[state.active], first);
    byId("search").value = "";
    showCodes();
  }
});
byId("memo").addEventListener("change", saveExtras);
byId("memo").addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("post").focus({ preventScroll: true });
});
byId("unsure").addEventListener("change", saveExtras);
byId("unit-name").addEventListener("change", () => changeUnit({ name: byId("unit-name").value.trim() }));
byId("unit-name").addEventListener("keydown", (event) => {
  if (event.key === "Escape" || event.key === "Enter") byId("post").focus({ preventScroll: true });
});
byId("place-unit").addEventListener("click", () => placing.begin());
byId("remove-unit").addEventListener("click", removeUnit);
byId("auto").addEventListener("change", () => localStorage.setItem("assay-auto", byId("auto").checked));
byId("next").addEventListener("click", () => step(1));
byId("previous").addEventListener("click", () => step(-1));
byId("undo").addEventListener("click", undo);
byId("ask-help").addEventListener("click", () => byId("help").showModal());
byId("ask-propose").addEventListener("click", askPropose);
for (const button of document.querySelectorAll("[data-close]"))
  button.addEventListener("click", () => button.closest("dialog").close());

try {
  byId("auto").checked = localStorage.getItem("assay-auto") === "true";
  state.task = await get("task");
  for (const row of document.querySelectorAll(".for-units")) row.hidden = !state.task.units;
  showPages(state.task, "rater");
  await queue.send(); // what was left from the last time
  await begin();
} catch (error) {
  tellError(error);
}
