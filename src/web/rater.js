/* The rater's page: an item, the codes, and keys for everything. */
import { address, byId, clock, get, handle, isFree, make, plural, post, randomKey, Refused, showItem, showPages,
  tell, tellError, toggleAnswers, toggleComments, typeInto, typing } from "./page.js";
import { hasNews, showGuidelines } from "./guidelines.js";
import { listParts, Pager } from "./list.js";
import { Queue } from "./queue.js";
import { Reading } from "./reading.js";
import { Choosing, highlight, spanList } from "./spans.js";
import { numberTexts, Placing, scrollToPlace, showPlaces, unitTitle } from "./units.js";

const KEYS = "1234567890abefghijkloqrstvwyzABEFHIJKOQRSTVWYZ";
const AHEAD = 10, BEHIND = 50; // items at hand
const WAKE_MS = 4000; // how often a page without work asks whether there is any
const state = {
  task: null,
  place: null,      // the item on show, as the server sent it
  review: null,     // the label that is looked at again after a change of the codebook
  said: new Map(),  // by dimension: {codes}; of the unit, where there are units
  extras: null,     // {memo, unsure} as they are saved, of the item or unit
  units: [],        // {unit, place, name, said, extras}, of tasks with units; as above
  unit: 0,          // which of them
  nextUnit: 1,      // what the next one is called
  spans: [],        // evidence: {unit, place, quote, dimension, code}
  active: 0,        // the dimension that keys speak of
  restoring: false, // the focus is being put back
  pointing: false,  // a button of the mouse is down: what is under it must stay
  keys: new Map(),  // key: code of the active dimension
  shownAt: 0,       // since when this item has been looked at; 0: it is hidden
  looked: 0,        // milliseconds before that
  visited: new Map(), // item: position
  history: [],      // what was said on this page, to be taken back: {item, again, unit, dimension, before, key}
  undone: new Set(), // keys of undos that the page has shown already
  turn: 0,          // grows with each item that is asked for
  loading: false,   // an item is on its way: keys wait for it, and nothing else can be pressed
  keys_waiting: [],
  left: new Map(),  // placeKey: what was said of an item that was left, while it is not saved
  ahead: new Map(), // position: place, asked for before they are wanted, so that work goes on without connection
  behind: new Map(), // the same, of items that were left
  folded: new Set(JSON.parse(localStorage.getItem("assay-folded") ?? "[]")),
  mending: null     // the key of a refused act whose item was opened to mend it
};

let reading = null;

/* Saving. */

const troubleOf = (error, waiting) => {
  const kept = `${plural(waiting, "act")} kept here, sent later`;
  if (!(error instanceof Refused)) return `Not connected: ${kept}`;
  return error.status === 403 ? `Please open your link again: ${kept}` : `Not saved: ${error.message}: ${kept}`;
};

const queue = new Queue(handle, (waiting, trouble, answer, act) => {
  const saved = byId("saved");
  saved.className = trouble === null ? "" : "bad";
  if (trouble !== null) saved.textContent = troubleOf(trouble, waiting);
  else if (waiting > 0) saved.textContent = "Saving";
  else if (answer !== null) saved.textContent = `Saved ${clock(answer.at ?? Date.now())}`;
  if (answer === null) return;
  if (answer.progress) showProgress(answer.progress);
  if (answer.late) tell("The round has been closed: what you said is kept apart, and does not count.", true);
  else if (act.kind === "undo") showUndone(act, answer);
  if (state.mending !== null && act.kind !== "undo" && state.mending.item === act.body.item) {
    queue.forget(state.mending.key);
    state.mending = null;
    showRefused();
  }
}, (error, act) => {
  showRefused();
  if (act.kind === "undo") tell(`Not undone: ${error.message}.`, true);
  state.ahead.clear();
  state.left.delete(leftKey(act.body));
  forget(state.behind, act.body);
  if (isShown(act.body) && state.review === null && !state.loading) open(`at/${state.place.position}`);
});

/* What the server would not have stays here until the person has mended it or gives it up. */
function showRefused() {
  const kept = queue.kept();
  byId("refused").hidden = kept.length === 0;
  byId("refused-list").replaceChildren(...kept.map((act) => make("li", {},
    make("span", {}, `${act.shown}: ${act.why}. `),
    act.body.item === undefined ? null : make("button", { type: "button", onclick: () => mend(act) }, "Mend"), " ",
    make("button", { type: "button", onclick: () => queue.again(act).then(showRefused) }, "Send again"), " ",
    make("button", { type: "button", class: "quiet", onclick: () => giveUp(act) }, "Give up"))));
}

function giveUp(act) {
  if (!confirm(`Give this up for good? ${act.shown}`)) return;
  queue.forget(act.body.key);
  showRefused();
}

/* The item with what could not be saved of it; the next that is saved of it settles the matter. */
async function mend(act) {
  await open(`at/item/${act.body.item}`);
  if (state.place === null || !isShown(act.body)) return;
  state.mending = { key: act.body.key, item: act.body.item };
  byId("memo").value = act.body.memo ?? byId("memo").value;
  byId("unsure").checked = act.body.unsure ?? false;
  tell(act.kind === "label" ? `You had said: ${act.body.codes.join(", ")}. Shorten the memo and choose again.`
    : "Change it, and it is saved.");
  byId("memo").focus();
}

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

/* Every act names the item that is on show, its round and which text of it the person sees. */
const here = () => ({ item: state.place.item.id, round: state.place.round, seen: state.place.item.seen,
  again: state.place.again, unit: state.units[state.unit]?.unit });
const isShown = (at) => state.place !== null && at.item === state.place.item.id &&
  (at.again ?? false) === state.place.again;
const canSay = () => state.place !== null && state.place.item.gone === undefined && !state.loading;
const nameOfPlace = () => `Item ${state.place.item.key}${state.units.length > 1 ? `, unit ${state.units[state.unit]?.unit ?? ""}` : ""}`;

/* before: what had been said of it; undefined: nothing. */
function save(dimension, before) {
  const label = state.said.get(dimension.id), key = randomKey();
  if (label === undefined || label.codes.length === 0 || state.review !== null) return;
  state.extras = readExtras();
  state.history.push({ ...here(), dimension: dimension.id, before, key });
  if (state.units.length > 0) state.units[state.unit].extras = state.extras;
  queue.add("label", { ...here(), dimension: dimension.id, codes: label.codes, ...state.extras,
    seconds: seconds(), key }, `${nameOfPlace()}, ${dimension.name}: ${label.codes.join(", ")}`);
}

const dimensions = () => (state.review === null ? state.task.dimensions
  : state.task.dimensions.filter((dimension) => dimension.id === state.review.dimension));
const isDone = (dimension) => (state.said.get(dimension.id)?.codes.length ?? 0) > 0;

function give(dimension, code) {
  if (!canSay() || !canGive(code)) return;
  const before = state.said.get(dimension.id);
  const had = before?.codes.includes(code.path) ?? false, codes = before?.codes ?? [];
  if (had && codes.length === 1 && dimension.several) tell("The only code stays. Give another one first, or take it back with Undo.");
  if (had && (!dimension.several || codes.length === 1)) return;
  state.said.set(dimension.id, { codes: !dimension.several ? [code.path]
    : had ? codes.filter((path) => path !== code.path) : [...codes, code.path] });
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
  showSpans();
  if (open < 0 && byId("auto").checked && !dimension.several && state.review === null) {
    const other = state.units.findIndex((unit) => !isUnitDone(unit));
    if (other >= 0) chooseUnit(other);
    else step(1);
  }
}

/* The memo and the flag belong to the item, or the unit, with or without a label. */
const readExtras = () => ({ memo: byId("memo").value, unsure: byId("unsure").checked });

function saveExtras() {
  const now = readExtras(), before = state.extras, key = randomKey();
  if (!canSay() || state.review !== null || (now.memo === before.memo && now.unsure === before.unsure)) return;
  state.extras = now;
  if (state.units.length > 0) state.units[state.unit].extras = now;
  state.history.push({ ...here(), note: before, key });
  queue.add("note", { ...here(), ...now, seconds: seconds(), key }, `${nameOfPlace()}, memo`);
}

/* Units. */

const hasUnits = () => state.task.units && state.review === null;
const isUnitDone = (unit) => state.task.dimensions.every((one) => (unit.said.get(one.id)?.codes.length ?? 0) > 0);

const newUnit = () => ({ unit: String(state.nextUnit++), place: "", name: "", said: new Map(),
  extras: { memo: "", unsure: false } });

/* What was said of an item, or of a unit of it: labels by dimension, and memo and flag as the newest of
 * labels and notes has them. */
function readSaid(list) {
  const newest = list.reduce((one, other) => (other.act > (one?.act ?? 0) ? other : one), null);
  return { said: new Map(list.filter((one) => one.dimension !== "").map((one) => [one.dimension, { codes: one.codes }])),
    extras: { memo: newest?.memo ?? "", unsure: newest?.unsure ?? false } };
}

/* As the server has them; an item begins with one that nobody has marked. */
function readUnits(place) {
  state.units = (place.units ?? []).map((one) =>
    ({ ...one, ...readSaid(place.said.filter((said) => said.unit === one.unit)) }));
  state.nextUnit = place.next_unit ?? 1;
  if (state.units.length === 0)
    state.units.push({ ...newUnit(), ...readSaid(place.said) });
}

/* An item that was left before all that was said of it was saved is shown as it was left: the server may
 * not know it yet. */
const leftKey = (at) => `${at.round}/${at.item}/${at.again ?? false}`;
const placeKey = (place) => leftKey({ ...place, item: place.item.id });

/* Takes an item out of those at hand. */
function forget(places, at) {
  for (const [position, place] of places)
    if (place.item.id === at.item && place.again === (at.again ?? false)) places.delete(position);
}

function leave() {
  if (state.place === null || state.review !== null) return;
  forget(state.ahead, here());
  state.behind.delete(state.place.position);
  state.behind.set(state.place.position, { ...state.place, kept: true });
  if (state.behind.size > BEHIND) state.behind.delete(state.behind.keys().next().value);
  state.left.set(placeKey(state.place), { said: state.said, extras: state.extras, units: state.units, nextUnit: state.nextUnit,
    spans: state.spans });
}

function readPlace(place, review) {
  const left = state.left.get(placeKey(place));
  state.units = [];
  state.unit = 0;
  state.spans = place.spans ?? [];
  if (left !== undefined && (place.kept || queue.has(place.item.id))) {
    ({ said: state.said, extras: state.extras, units: state.units, nextUnit: state.nextUnit, spans: state.spans } = left);
  } else if (state.task.units && review === null) {
    readUnits(place);
  } else {
    Object.assign(state, readSaid(place.said));
    if (review !== null) state.extras = { memo: review.memo, unsure: review.unsure };
  }
  if (state.units.length === 0) return;
  state.unit = Math.max(0, state.units.findIndex((unit) => !isUnitDone(unit)));
  ({ said: state.said, extras: state.extras } = state.units[state.unit]);
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
  ({ said: state.said, extras: state.extras } = state.units[index]);
  state.active = Math.max(0, dimensions().findIndex((dimension) => !isDone(dimension)));
  showExtras();
  showCodes();
  showUnits();
  showSpans();
  if (state.units[index].place !== "") scrollToPlace(byId("post"), state.units[index].place);
}

/* What was there before goes into the history, to be put back. */
function tellUnit(unit, remove) {
  const key = randomKey(), at = { ...here(), unit: unit.unit };
  state.history.push({ ...at, units: state.shown, at: state.unit, key });
  state.shown = state.units.map((one) => ({ ...one }));
  queue.add("unit", { ...at, place: unit.place, name: unit.name, remove, key }, `Item ${state.place.item.key}, unit ${unitTitle(unit)}`);
}

function addUnit() {
  if (!hasUnits() || !canSay()) return;
  const unit = newUnit();
  state.units.push(unit);
  tellUnit(unit, false);
  chooseUnit(state.units.length - 1);
}

function removeUnit() {
  if (!hasUnits() || !canSay() || state.units.length === 1) return;
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

/* Evidence. */

const hasSpans = () => state.task.spans !== "no" && state.review === null;
const perCode = () => state.task.spans === "per code";
const ofUnit = (span) => span.unit === state.units[state.unit]?.unit;
const sameSpan = (one, other) => ["unit", "place", "dimension", "code"].every((key) => (one[key] ?? "") === (other[key] ?? ""));
const codeName = (span) => state.task.dimensions.find((one) => one.id === span.dimension)?.codes
  .find((code) => code.path === span.code)?.name ?? span.code;

/* What new evidence may be for: the codes that were given, of which the newest is chosen. */
function spanCodes() {
  return state.task.dimensions.flatMap((dimension) => (state.said.get(dimension.id)?.codes ?? [])
    .map((code) => ({ dimension: dimension.id, code })));
}

/* Evidence for a code that is not given is kept, and counts when the code is given again. */
const counts = (span) => !span.code || (state.said.get(span.dimension)?.codes.includes(span.code) ?? false);

function showSpans() {
  byId("spans").hidden = !hasSpans();
  if (!hasSpans()) return;
  const own = state.spans.filter(ofUnit), before = byId("span-code").value;
  const had = [...byId("span-code").options].map((option) => option.value), codes = spanCodes();
  byId("span-list").replaceChildren(spanList(byId("post"), own, (span) => [
    span.code ? make("span", { class: "soft" }, codeName(span)) : null,
    counts(span) ? null : make("span", { class: "warning" }, "not given: does not count"),
    make("button", { type: "button", class: "quiet", "aria-label": `Take away: ${span.quote || span.place}`,
      onclick: () => tellSpan(span, true) }, "\u00d7")]));
  byId("span-for").hidden = !perCode();
  const values = codes.map((one) => `${one.dimension}:${one.code}`);
  byId("span-code").replaceChildren(...codes.map((one, i) => make("option", { value: values[i] }, codeName(one))));
  byId("span-code").value = values.find((one) => !had.includes(one)) ?? (values.includes(before) ? before : values.at(-1) ?? "");
  highlight(byId("post"), [own.filter(counts)]);
}

/* What was there before goes into the history, to be put back. */
function tellSpan(span, remove) {
  if (!hasSpans() || !canSay()) return;
  const key = randomKey(), at = { ...here(), unit: span.unit };
  state.history.push({ ...at, spans: state.spans, key });
  state.spans = remove ? state.spans.filter((one) => !sameSpan(one, span)) : [...state.spans, span];
  queue.add("span", { ...at, place: span.place, quote: remove ? "" : span.quote, dimension: span.dimension, code: span.code, remove, key },
    `${nameOfPlace()}, evidence: ${span.quote || span.place}`);
  showSpans();
}

function addSpan({ place, quote }) {
  const span = { unit: state.units[state.unit]?.unit, place, quote };
  if (perCode()) {
    if (byId("span-code").value === "") {
      tell("Give a code first: evidence is for a code here.", true);
      return;
    }
    [span.dimension, span.code] = byId("span-code").value.split(":");
  }
  if (state.spans.some((one) => sameSpan(one, span))) tell("That is marked already.");
  else tellSpan(span, false);
}

const choosing = new Choosing(byId("post"), addSpan);
choosing.allowed = () => state.task !== null && hasSpans() && canSay();

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
  return { hits: words.length > 0 ? hits : [],
    shown: words.length > 0 ? shown : shown.filter((code) => !isFolded(dimension, code)) };
}

/* Codes below one that is folded are found by typing, and are shown where they are given. */
const foldName = (dimension, path) => `${dimension.id}/${path}`;
const isFolded = (dimension, code) => !code.special && !(state.said.get(dimension.id)?.codes.includes(code.path)) &&
  dimension.codes.some((above) => code.path.startsWith(above.path + "/") && state.folded.has(foldName(dimension, above.path)));

function fold(dimension, code) {
  const name = foldName(dimension, code.path);
  if (!state.folded.delete(name)) state.folded.add(name);
  localStorage.setItem("assay-folded", JSON.stringify([...state.folded]));
  showCodes();
}

function explain(code) {
  const part = (name, text) => (text === "" ? null : make("p", {}, make("b", {}, name + " "), text));
  byId("meaning").replaceChildren(...[make("p", {}, make("b", {}, code.name)),
    code.definition === "" ? null : make("p", {}, code.definition),
    part("Use when", code.use_when), part("Not when", code.not_when),
    part("Examples:", code.examples.join("; ")), part("Not:", code.counter_examples.join("; "))].filter((one) => one !== null));
}

/* Where the study asks for leaves, other codes are headings. */
const canGive = (code) => !state.task.leaves || code.leaf || code.special;

/* What Enter takes while somebody searches: of the lines on show the first that has the words and can be given. */
const enterTakes = (dimension) => found(dimension).hits.find(canGive);

function codeButton(dimension, code, key, taken) {
  const given = state.said.get(dimension.id)?.codes.includes(code.path) ?? false;
  const button = make("button", { type: "button", class: `code level${code.level}${taken ? " next" : ""}`,
    "aria-pressed": String(given), "aria-keyshortcuts": key ?? null,
    "data-code": `${dimension.id}/${code.path}`, disabled: !canGive(code),
    "aria-description": code.definition === "" ? null : code.definition,
    onclick: () => give(dimension, code), onfocus: () => explain(code), onmouseenter: () => explain(code) },
  make("kbd", { class: key === undefined ? "none" : "" }, key ?? ""), make("span", {}, code.name),
  taken ? make("kbd", { class: "enter" }, "Enter") : null);
  const folded = state.folded.has(foldName(dimension, code.path));
  return make("li", { class: code.special ? "special" : code.leaf ? "" : "branch" }, button, code.leaf || code.special ? null
    : make("button", { type: "button", class: "fold quiet", "aria-expanded": String(!folded),
      "aria-label": `Codes below ${code.name}`, onclick: () => fold(dimension, code) }, folded ? "\u25b8" : "\u25be"));
}

function showDimension(dimension, index) {
  const active = index === state.active;
  const list = found(dimension).shown, taken = active ? enterTakes(dimension) : undefined;
  let keys = 0;
  const items = list.map((code) => {
    const key = active && canGive(code) ? KEYS[keys++] : undefined;
    if (key !== undefined) state.keys.set(key, code);
    return codeButton(dimension, code, key, code === taken);
  });
  return make("section", { class: active ? "dimension active" : "dimension",
    "aria-label": dimension.name, onfocusin: () => activate(index) },
  make("h2", {}, dimension.name, make("span", { class: "soft" },
    dimension.several ? " several" : "", isDone(dimension) ? " \u2713" : "")),
  make("ul", {}, items.length > 0 ? items : [make("li", { class: "soft" }, "no such code")]));
}

function activate(index) {
  if (state.active === index || state.restoring || state.pointing) return;
  state.active = index;
  showCodes();
  byId("codes").querySelector(".active").scrollIntoView({ block: "nearest" });
}

/* Which dimension keys speak of, wherever the list has been scrolled to. */
function showKeysFor() {
  const all = dimensions();
  byId("keys-for").hidden = all.length < 2;
  byId("keys-for").replaceChildren("Keys: ", make("b", {}, all[state.active].name),
    make("span", { class: "soft" }, ` ${state.active + 1} of ${all.length} `), make("kbd", {}, "d"));
}

/* Anew, with the focus where it was; that alone does not change what keys speak of. */
function showCodes() {
  const focused = document.activeElement?.dataset.code;
  state.keys.clear();
  byId("codes").replaceChildren(...dimensions().map(showDimension));
  showKeysFor();
  const buttons = [...byId("codes").querySelectorAll(".code")];
  state.restoring = true;
  buttons.find((button) => button.dataset.code === focused)?.focus({ preventScroll: true });
  state.restoring = false;
}

/* Items. */

function showProgress(progress) {
  state.progress = progress;
  byId("count").textContent = `${progress.done} of ${progress.assigned}`;
  byId("progress").max = Math.max(progress.assigned, 1);
  byId("progress").value = progress.done;
}

/* Asks now and then, and shows what there is to do by itself. */
async function wake() {
  const turn = state.turn;
  const place = document.hidden ? null : await get("next", []).catch(() => null);
  if (state.turn !== turn || state.place !== null) return;
  if (place?.found) begin();
  else setTimeout(wake, WAKE_MS);
}

function showNothing(place) {
  setTimeout(wake, WAKE_MS);
  byId("panel").hidden = true;
  byId("post").replaceChildren(
    make("h1", {}, place.open ? "All done" : "No round is open"),
    make("p", {}, place.open ? "You have labelled every item of this round. Thank you."
      : "Whoever leads the study opens the next round; it then shows here by itself."),
    place.open ? make("p", {}, make("button", { type: "button", onclick: () =>
      open(`at/${place.progress.assigned - 1}`) }, "Look at them again")) : "");
}

function showExtras() {
  byId("memo").value = state.extras.memo;
  byId("unsure").checked = state.extras.unsure;
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
  readPlace(place, review);
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
  reading.show();
  window.scrollTo(0, 0);
  byId("post").focus({ preventScroll: true });
  showCodes();
  showUnits();
  choosing.end();
  showSpans();
  state.looked = 0;
  state.shownAt = document.hidden ? 0 : performance.now();
}

/* The next items are asked for while this one is read. */
async function lookAhead() {
  const from = state.place.position + 1, to = Math.min(from + AHEAD, state.place.count), turn = state.turn;
  for (const position of state.ahead.keys()) if (position < from || position >= to) state.ahead.delete(position);
  for (let position = from; position < to && state.review === null; position++) {
    if (state.ahead.has(position)) continue;
    const place = await get(`at/${position}`, []).catch(() => null);
    if (place === null || state.turn !== turn) return;
    if (place.found && !queue.has(place.item.id)) state.ahead.set(position, place);
  }
}

/* From the server or, without connection, as it was left. */
async function placeAt(position) {
  const kept = state.behind.get(position);
  try {
    return await (kept === undefined ? get(`at/${position}`) : get(`at/${position}`, []));
  } catch (error) {
    if (kept === undefined || error instanceof Refused) throw error;
    return { ...kept, progress: state.progress };
  }
}

/* Shows what comes of a question to the server; meanwhile nothing can be said, and keys wait. */
async function load(ask) {
  const turn = ++state.turn;
  leave();
  state.loading = true;
  byId("panel").inert = true;
  try {
    const [place, review] = await ask();
    if (turn !== state.turn) return;
    done();
    show(place, review ?? null);
    if (place.found) lookAhead();
  } catch (error) {
    if (turn !== state.turn) return;
    const lost = state.keys_waiting.length;
    done();
    state.keys_waiting = [];
    tellError(error);
    if (lost > 0) tell(`${byId("message").textContent} The ${plural(lost, "key")} pressed meanwhile did nothing.`, true);
  }
  pressWaiting();
}

function done() {
  state.loading = false;
  byId("panel").inert = false;
}

const open = (name) => load(async () => [await get(name)]);

function pressWaiting() {
  while (state.keys_waiting.length > 0 && !state.loading) {
    const key = state.keys_waiting.shift();
    if (typing() !== null) typeInto(typing(), key);
    else press(key);
  }
}

/* Labels that a change of the codebook left without a clear successor come first. */
const begin = () => load(async () => {
  const reviews = await get("reviews");
  const next = await get("next");
  if (reviews.count === 0) return [next];
  return [{ found: true, open: true, progress: next.progress, position: 0, count: reviews.count, again: false, said: [],
    item: reviews.item }, reviews.said[0]];
});

async function stepReview(by) {
  const { act, item, dimension } = state.review, label = state.said.get(dimension);
  if (by < 0) {
    await open("next");
  } else if (label === undefined) {
    tell("Choose a code first.", true);
  } else {
    await queue.add("review", { act, item, dimension, codes: label.codes, ...readExtras() },
      `Item ${item}, looked at again: ${label.codes.join(", ")}`);
    await begin();
  }
}

/* Without connection work goes on with the items at hand; what was said is in the queue. */
function step(by) {
  if (state.place === null || state.loading) return;
  tell("");
  if (state.review !== null) {
    stepReview(by);
    return;
  }
  saveExtras();
  const to = state.place.position + by, ahead = state.ahead.get(to);
  state.ahead.delete(to);
  if (ahead !== undefined) load(async () => [{ ...ahead, progress: state.progress }]);
  else if (to >= 0 && to < state.place.count) load(async () => [await placeAt(to)]);
  else if (by > 0) load(async () => { await queue.drain(); return [await get("next")]; });
}

/* What was said last is taken back, also without connection: the server is told so after it
 * was told what was said. */
function undo() {
  const last = state.history.pop();
  const key = randomKey();
  tell("");
  if (last === undefined) state.ahead.clear();
  else forget(state.ahead, last);
  if (last !== undefined && isShown(last)) {
    state.undone.add(key);
    putBack(last);
  } else if (last !== undefined) {
    state.left.delete(leftKey(last));
    forget(state.behind, last);
  }
  if (last !== undefined && queue.kept().some((act) => act.body.key === last.key)) {
    queue.forget(last.key); // the server has never had it
    showRefused();
    return;
  }
  queue.add("undo", { key, of: last?.key, item: last?.item, again: last?.again, round: last?.round ?? state.place?.round },
    `Undo, item ${last?.item ?? ""}`);
}

function putBack(last) {
  if (last.units !== undefined) {
    state.units = last.units.map((one) => ({ ...one }));
    state.shown = last.units;
    state.unit = Math.min(last.at, state.units.length - 1);
  } else if (last.unit !== undefined) {
    state.unit = Math.max(0, state.units.findIndex((one) => one.unit === last.unit));
  }
  if (state.units.length > 0) ({ said: state.said, extras: state.extras } = state.units[state.unit]);
  if (last.spans !== undefined) state.spans = last.spans;
  else if (last.units !== undefined) state.active = 0;
  else if (last.note !== undefined) state.extras = last.note;
  else if (last.before === undefined) state.said.delete(last.dimension);
  else state.said.set(last.dimension, last.before);
  if (state.units.length > 0) state.units[state.unit].extras = state.extras;
  if (last.dimension !== undefined) state.active = dimensions().findIndex((one) => one.id === last.dimension);
  showExtras();
  showCodes();
  showUnits();
  showSpans();
}

/* Where it was said on another item, or before this page was loaded, it is shown as it is now. */
function showUndone(act, answer) {
  const position = state.visited.get(answer.item);
  tell(position === undefined ? "Undone, on an item you had left." : "Undone.");
  if (!state.undone.has(act.body.key) && !state.loading) open(`at/${position ?? state.place?.position ?? 0}`);
}

/* The list of one's items. */

const pager = new Pager({ name: "list", ...listParts(byId("own"), ["No.", "Item", "State", "Flag", "Codes", "Memo"],
  "Search: code, memo, open, done, unsure"), row: (one) => make("tr", {},
  make("td", {}, one.position + 1), make("th", { scope: "row" }, make("button", { type: "button", class: "quiet item-name", title: one.key, onclick: () => {
    byId("list").close();
    saveExtras();
    open(`at/${one.position}`);
  } }, one.key)), make("td", { class: "whole" }, one.state + (one.again ? ", again" : "")), make("td", { class: "warning" }, one.unsure ? "unsure" : ""),
  make("td", {}, one.codes.join(", ")), make("td", {}, one.memo.slice(0, 120))) });

function askList() {
  pager.search.value = "";
  pager.begin();
  byId("list").showModal();
}

/* Proposals. */

function askPropose() {
  const dimension = dimensions()[state.active], form = byId("propose-form");
  form.reset();
  byId("propose-said").textContent = "";
  form.parent.replaceChildren(make("option", { value: "" }, "(at the top)"),
    ...dimension.codes.filter((code) => !code.special).map((code) =>
      make("option", { value: code.path }, "\u2003".repeat(code.level - 1) + code.name)));
  byId("propose").showModal();
}

byId("propose-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target, name = form.elements.name.value.trim();
  try {
    await post("propose", { dimension: dimensions()[state.active].id, parent: form.parent.value, name,
      text: form.text.value, item: state.place?.item.id });
    tell("Proposed. Whoever leads the study decides on it.");
    byId("propose").close();
  } catch (error) {
    byId("propose-said").textContent = error instanceof Refused ? `${error.message}.` : "Not connected: try again.";
  }
});

/* Keys. */

function toggleUnsure() {
  if (!canSay()) return;
  byId("unsure").checked = !byId("unsure").checked;
  saveExtras();
}

function guidelines() {
  showGuidelines(state.task);
  byId("news").hidden = true;
}

const actions = { n: () => step(1), p: () => step(-1), u: undo, m: () => byId("memo").focus(),
  "/": () => byId("search").focus(), "?": () => byId("help").showModal(), x: toggleUnsure,
  "+": addUnit, "=": addUnit, "-": removeUnit, "[": () => chooseUnit(state.unit - 1), "]": () => chooseUnit(state.unit + 1),
  ";": () => { if (hasUnits() && canSay()) placing.begin(); }, ".": () => reading.focus(), "'": () => { if (hasSpans() && canSay()) choosing.begin(); }, ",": () => reading.toggle(), c: () => toggleComments(byId("post")), C: () => toggleAnswers(byId("post")), G: guidelines, L: askList,
  d: () => { if (state.place !== null) activate((state.active + 1) % dimensions().length); } };

/* Whether the key meant something. */
function press(key) {
  if (key === "Enter") actions.n();
  else if (Object.hasOwn(actions, key)) actions[key]();
  else if (state.place !== null && state.keys.has(key)) give(dimensions()[state.active], state.keys.get(key));
  else return false;
  return true;
}

/* A key is meant for what is on show; while an item is on its way, for that. */
document.addEventListener("keydown", (event) => {
  const pressed = event.key === "Enter" && ["BUTTON", "A", "SUMMARY"].includes(event.target.tagName);
  if (!isFree(event) || state.task === null || pressed) return;
  if (state.loading && (event.key.length === 1 || ["Enter", "Escape", "Backspace"].includes(event.key)))
    state.keys_waiting.push(event.key);
  else if (state.loading || !press(event.key)) return;
  event.preventDefault();
});
window.addEventListener("pagehide", saveExtras);

document.addEventListener("pointerdown", () => { state.pointing = true; }, true);
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, () => { state.pointing = false; }, true);
byId("search").addEventListener("input", () => {
  const taken = enterTakes(dimensions()[state.active]);
  showCodes();
  if (taken === undefined) return;
  explain(taken);
  byId("codes").querySelector(".code.next").scrollIntoView({ block: "nearest" });
});
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "Escape" || event.key === "Enter") {
    const dimension = dimensions()[state.active], taken = enterTakes(dimension);
    event.preventDefault();
    byId("post").focus({ preventScroll: true });
    if (event.key === "Enter" && taken !== undefined) give(dimension, taken);
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
byId("mark-span").addEventListener("pointerdown", (event) => event.preventDefault()); // what is selected stays
byId("mark-span").addEventListener("click", actions["'"]);
byId("place-unit").addEventListener("click", () => placing.begin());
byId("remove-unit").addEventListener("click", removeUnit);
byId("auto").addEventListener("change", () => localStorage.setItem("assay-auto", byId("auto").checked));
byId("next").addEventListener("click", () => step(1));
byId("previous").addEventListener("click", () => step(-1));
byId("undo").addEventListener("click", undo);
byId("ask-guidelines").addEventListener("click", guidelines);
byId("ask-list").addEventListener("click", askList);
byId("ask-help").addEventListener("click", () => byId("help").showModal());
byId("ask-propose").addEventListener("click", askPropose);
for (const button of document.querySelectorAll("[data-close]"))
  button.addEventListener("click", () => button.closest("dialog").close());

try {
  byId("auto").checked = localStorage.getItem("assay-auto") === "true";
  state.task = await get("task");
  for (const row of document.querySelectorAll(".for-units")) row.hidden = !state.task.units;
  for (const row of document.querySelectorAll(".for-spans")) row.hidden = state.task.spans === "no";
  showPages(state.task, "rater");
  reading = new Reading(byId("post"), state.task.words);
  byId("news").hidden = !hasNews(state.task);
  byId("export").href = address("export/own");
  showRefused();
  await queue.send(); // what was left from the last time
  await begin();
} catch (error) {
  tellError(error);
}
