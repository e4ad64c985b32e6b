/* The arbiter's page: items in dispute, what each rater said, a decision with its reason. */
import { numberTexts, readPlace, scrollToPlace, showPlaces } from "./units.js";
import { colourOf, highlight, spanList } from "./spans.js";
import { byId, get, isFree, make, plural, post, showItem, showPages, tell, tellError,
  toggleAnswers, toggleComments, typeInto, typing } from "./page.js";

import { Reading } from "./reading.js";
import { showGuidelines } from "./guidelines.js";

let reading = null;
const REASONS = { a: "slip", b: "ambiguous", g: "gap", o: "other" };
const SOON_MS = 300;
// shown: {at, count, settled, open, dispute}; item: the one in dispute; turn, loading, keys: as on the rater's page
// walking: the list of codes was last moved by keys, which pass many codes on their way to one
const state = { task: null, shown: null, item: null, codes: [], walking: false, turn: 0, loading: false, keys: [] };

const dispute = () => state.shown.dispute;
const dimension = () => state.task.dimensions.find((one) => one.id === dispute().dimension) ??
  state.task.dimensions[0];
const canGive = (code) => !state.task.leaves || code.leaf || code.special;
const nameOf = (path) => {
  const codes = dimension().codes, code = codes.find((one) => one.path === path);
  if (code === undefined) return path;
  const above = codes.find((one) => !one.special && code.path.startsWith(one.path + "/"));
  return above === undefined ? code.name : `${above.name}: ${code.name}`;
};

/* What the list stands at is not taken yet. */
function point(path) {
  byId("code").value = path;
  byId("take").disabled = path === "";
}

function choose(codes) {
  state.codes = codes;
  point("");
  byId("chosen").replaceChildren(...codes.map((path) => make("li", {}, nameOf(path), " ",
    make("button", { type: "button", class: "quiet", "aria-label": `Leave out ${nameOf(path)}`,
      onclick: () => choose(codes.filter((other) => other !== path)) }, "\u00d7"))));
}

/* Where the study hides names, the server sends letters. */
function raterName(rater, i) {
  if (state.task.names_hidden) return `Rater ${rater}`;
  return byId("hide").checked ? `Rater ${String.fromCharCode(65 + i)}` : rater;
}

/* What a rater marked in the item; the text has it in the same colour. */
const spanRaters = () => [...new Set(dispute().said.map((said) => said.rater))];
const spansOf = (rater) => (dispute().spans ?? []).filter((span) => span.rater === rater);

function evidence(rater) {
  const spans = spansOf(rater);
  if (spans.length === 0) return null;
  return make("div", { class: "spans" }, make("p", { class: "soft" }, make("span", { class: colourOf(spanRaters().indexOf(rater)) }, "Evidence")),
    spanList(byId("post"), spans, (span) => make("span", { class: "soft" }, [span.unit ? `unit ${span.unit}` : "", span.code].filter((one) => one !== "").join(", "))));
}

function card(said, i) {
  return make("section", { class: "card" },
    make("h3", {}, raterName(said.rater, i),
      said.unsure ? make("span", { class: "warning" }, " unsure") : ""),
    make("ul", {}, said.codes.map((path) => make("li", {}, nameOf(path)))),
    said.memo === "" ? null : make("blockquote", {}, said.memo),
    evidence(said.rater),
    make("button", { type: "button", onclick: () => choose(said.codes), "aria-keyshortcuts": String(i + 1) },
      "Take this ", make("kbd", {}, i + 1)));
}

/* What each rater marked, side by side; what stands in a row is taken for the same unit. */
function unitTable(one) {
  const raters = [...new Set(one.units.flatMap((unit) => unit.marks.map((mark) => mark.rater)))];
  const cell = (unit, rater) => {
    const mark = unit.marks.find((other) => other.rater === rater);
    return make("td", {}, mark === undefined ? "\u2014" : mark.name || mark.place || "not placed");
  };
  return make("table", { class: "unit-table" }, make("caption", { class: "unseen" }, "Units of this item"),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Unit"),
      raters.map((rater, i) => make("th", { scope: "col" }, raterName(rater, i))))),
    make("tbody", {}, one.units.map((unit) => make("tr", { "aria-current": unit.unit === one.unit ? "true" : null },
      make("th", { scope: "row" }, unit.rejected ? make("s", {}, unit.unit) : unit.unit),
      raters.map((rater) => cell(unit, rater))))));
}

/* Raters who have marked units in the item, but not this one. */
function lacking(one) {
  const raters = new Set((one.units ?? []).flatMap((unit) => unit.marks.map((mark) => mark.rater)));
  return [...raters].filter((rater) => one.said.every((said) => said.rater !== rater));
}

function showUnits(one) {
  byId("units").replaceChildren(...(one.units === undefined ? [] : [unitTable(one)]));
  byId("no-unit").hidden = one.units === undefined;
}

function showMarks(one) {
  if (one.units === undefined) return;
  const marks = (units) => units.flatMap((unit) => unit.marks.map((mark) => mark.place));
  const here = marks(one.units.filter((unit) => unit.unit === one.unit)).filter((place) => readPlace(place) !== null);
  numberTexts(byId("post"));
  showPlaces(byId("post"), marks(one.units), here[0] ?? "");
  if (here.length > 0) scrollToPlace(byId("post"), here[0]);
}

/* What else can be decided on the item: raters may agree there, and yet be wrong. */
function showOthers(one) {
  const name = (other) => [other.unit === "" ? "" : `Unit ${other.unit}`,
    state.task.dimensions.find((known) => known.id === other.dimension)?.name ?? other.dimension].filter((part) => part !== "").join(": ");
  byId("others").replaceChildren(...(one.others.length < 2 ? [] : one.others.map((other) => make("button",
    { type: "button", class: "unit", "aria-pressed": String(other.at === state.shown.at), onclick: () => show(`at/${other.at}`) },
    `${name(other)}${other.agreed ? ", agreed" : ""}`))));
}

function showPanel() {
  const one = dispute(), decided = one.decision, without = lacking(one).length;
  byId("dimension").textContent = one.unit === undefined ? dimension().name : `Unit ${one.unit}: ${dimension().name}`;
  showOthers(one);
  showUnits(one);
  byId("said").replaceChildren(...one.said.map(card), ...(without === 0 ? [] : [make("p", { class: "warning" },
    `Not marked by ${without === 1 ? "the other rater" : `${without} raters`}.`)]));
  byId("code").replaceChildren(make("option", { value: "" }, dimension().several ? "Add a code" : "Choose a code"),
    ...dimension().codes.map((code) => make("option", { value: code.path, disabled: !canGive(code) },
      "\u2003".repeat(code.level - 1) + code.name)));
  choose(decided?.codes ?? []);
  for (const radio of byId("decision").reason) radio.checked = radio.value === decided?.reason;
  byId("text").value = decided?.text ?? "";
  byId("before").textContent = decided === null ? "" :
    `${decided.no_unit ? "Decided that it is no unit" : "Decided"}${byId("hide").checked ? "" : ` by ${decided.by}`}; a new decision counts instead, the old one is kept.`;
}

function showCount() {
  const { settled, count } = state.shown;
  byId("count").textContent = `${settled} of ${count} settled`;
  byId("progress").max = Math.max(count, 1);
  byId("progress").value = settled;
}

const hasDispute = () => state.shown?.dispute !== undefined;

function showNone() {
  byId("post").replaceChildren(make("h1", {}, "No disputes"), make("p", {},
    "Items on which raters of a closed round differ come here."));
}

function showPost() {
  showItem(byId("post"), state.item);
  byId("post").prepend(make("p", { class: "soft" }, dispute().agreed ? "Raters agree here; with a reason you may overrule them."
    : `Dispute ${state.shown.at + 1} of ${state.shown.count}`));
  window.scrollTo(0, 0);
  showMarks(dispute());
  reading.show();
  highlight(byId("post"), spanRaters().map(spansOf));
  byId("post").focus({ preventScroll: true });
}

async function ask(which) {
  let shown = await get(`dispute/${which}`);
  for (; shown.as_of === null || (shown.count === 0 && !shown.current); shown = await get(`dispute/${which}`)) {
    byId("post").replaceChildren(make("p", { class: "soft" }, "Looking for disputes \u2026"));
    await new Promise((done) => setTimeout(done, SOON_MS));
  }
  return { shown, item: shown.dispute === undefined ? null : (await get(`item/${shown.dispute.item}`)).item };
}

function done() {
  state.loading = false;
  byId("panel").inert = false;
}

/* which: a number, "item/ID", or "" for the first that is not settled. Labels and post are shown together or not
 * at all; meanwhile nothing can be decided, and keys wait for what comes. */
async function show(which) {
  const turn = ++state.turn;
  state.loading = true;
  byId("panel").inert = true;
  try {
    const next = await ask(which);
    if (turn !== state.turn) return;
    done();
    Object.assign(state, next);
    showCount();
    byId("panel").hidden = !hasDispute();
    if (!hasDispute()) showNone();
    else {
      showPanel();
      showPost();
    }
  } catch (error) {
    if (turn !== state.turn) return;
    const lost = state.keys.length;
    done();
    state.keys = [];
    tellError(error);
    if (lost > 0) tell(`${byId("message").textContent} The ${plural(lost, "key")} pressed meanwhile did nothing.`, true);
  }
  while (state.keys.length > 0 && !state.loading) {
    const key = state.keys.shift();
    if (typing() !== null) typeInto(typing(), key);
    else press(key);
  }
}

function step(by) {
  const { at, count } = state.shown;
  if (count > 0) show(dispute().agreed ? "" : (at + by + count) % count);
}

async function decide(noUnit = false) {
  if (state.loading) return;
  if (byId("code").value !== "" && !noUnit) {
    tell(`The list stands at ${nameOf(byId("code").value)}, which is not taken: press Take, or set the list back.`, true);
    byId("code").focus();
    return;
  }
  if (state.codes.length === 0 && !noUnit) {
    tell("Choose a code first.", true);
    return;
  }
  const one = dispute(), at = state.shown.at;
  if (one.agreed && byId("text").value.trim() === "") {
    tell("Say why you overrule what raters agree on.", true);
    byId("text").focus();
    return;
  }
  state.loading = true;
  byId("panel").inert = true;
  try {
    await post("decide", { item: one.item, seen: state.item.seen, unit: one.unit, no_unit: noUnit, dimension: one.dimension,
      codes: noUnit ? [] : state.codes, reason: byId("decision").reason.value || "other", text: byId("text").value });
    const { open } = await get(one.agreed ? "dispute/" : `dispute/${at}`);
    await show(one.agreed ? `at/${at}` : open >= 0 ? open : at);
    tell(one.agreed ? "Saved." : state.shown.open >= 0 ? "Saved." : "Saved. All disputes are settled.");
  } catch (error) {
    done();
    state.keys = [];
    tellError(error);
  }
}

byId("decision").addEventListener("submit", (event) => {
  event.preventDefault();
  decide();
});
const take = (path) => choose(dimension().several ? [...new Set([...state.codes, path])] : [path]);
const takePointed = () => { if (byId("code").value !== "") take(byId("code").value); };
byId("code").addEventListener("pointerdown", () => { state.walking = false; });
byId("code").addEventListener("keydown", (event) => {
  state.walking = true;
  if (event.key !== "Enter") return;
  event.preventDefault();
  setTimeout(takePointed); // where Enter closes an open list, that says by then what was chosen in it
});
byId("code").addEventListener("change", () => {
  point(byId("code").value);
  if (!state.walking) takePointed();
});
byId("take").addEventListener("click", takePointed);
byId("hide").addEventListener("change", () => {
  localStorage.setItem("assay-hide", byId("hide").checked);
  if (hasDispute()) showPanel();
});
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("post").focus({ preventScroll: true });
});
byId("go").addEventListener("change", () => {
  const key = byId("go").value.trim();
  byId("go").value = "";
  if (key !== "") show(`key/${encodeURIComponent(key)}`);
});
byId("ask-guidelines").addEventListener("click", () => showGuidelines(state.task));
byId("no-unit").addEventListener("click", () => decide(true));
byId("previous").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));

/* Codes by typing: the first that has all the words is taken with Enter. */
function found() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? undefined : dimension().codes.find((code) => canGive(code) &&
    words.every((word) => `${nameOf(code.path)} ${code.path} ${code.definition}`.toLowerCase().includes(word)));
}

byId("search").addEventListener("input", () => point(found()?.path ?? ""));
byId("search").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  const code = event.key === "Enter" ? found() : undefined;
  event.preventDefault();
  byId("search").value = "";
  point("");
  if (code !== undefined) take(code.path);
  byId("post").focus({ preventScroll: true });
});

/* Whether the key meant something. */
function press(key) {
  if (!hasDispute()) return false;
  const number = Number(key);
  if (number >= 1 && number <= dispute().said.length) choose(dispute().said[number - 1].codes);
  else if (Object.hasOwn(REASONS, key)) byId("decision").reason.value = REASONS[key];
  else if (key === "s") byId("decision").requestSubmit();
  else if (key === "z" && dispute().unit !== undefined) decide(true);
  else if (key === "n") step(1);
  else if (key === "p") step(-1);
  else if (key === "m") byId("text").focus();
  else if (key === "/") byId("search").focus();
  else if (key === "G") showGuidelines(state.task);
  else if (key === ".") reading.focus();
  else if (key === ",") reading.toggle();
  else if (key === "c") toggleComments(byId("post"));
  else if (key === "C") toggleAnswers(byId("post"));
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (!isFree(event)) return;
  if (state.loading && (event.key.length === 1 || ["Enter", "Escape", "Backspace"].includes(event.key))) state.keys.push(event.key);
  else if (state.loading || !press(event.key)) return;
  event.preventDefault();
});

try {
  byId("hide").checked = localStorage.getItem("assay-hide") === "true";
  state.task = await get("task");
  showPages(state.task, "arbiter");
  reading = new Reading(byId("post"), state.task.words);
  byId("hide").parentElement.hidden = state.task.names_hidden;
  await show(location.hash === "" ? "" : `item/${location.hash.slice(1)}`);
} catch (error) {
  tellError(error);
}
