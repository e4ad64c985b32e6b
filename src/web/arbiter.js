/* The arbiter's page: items in dispute, what each rater said, a decision with its reason. */
import { numberTexts, readPlace, scrollToPlace, showPlaces } from "./units.js";
import { byId, get, isFree, make, post, showItem, showPages, tell, tellError } from "./page.js";

const REASONS = { a: "slip", b: "ambiguous", g: "gap", o: "other" };
const SOON_MS = 300;
const state = { task: null, shown: null, codes: [] }; // shown: {at, count, settled, open, dispute}

const dispute = () => state.shown.dispute;
const dimension = () => state.task.dimensions.find((one) => one.id === dispute().dimension) ??
  state.task.dimensions[0];
const nameOf = (path) => {
  const codes = dimension().codes, code = codes.find((one) => one.path === path);
  if (code === undefined) return path;
  const above = codes.find((one) => !one.special && code.path.startsWith(one.path + "/"));
  return above === undefined ? code.name : `${above.name}: ${code.name}`;
};

function choose(codes) {
  state.codes = codes;
  byId("code").value = "";
  byId("chosen").replaceChildren(...codes.map((path) => make("li", {}, nameOf(path), " ",
    make("button", { type: "button", class: "quiet", "aria-label": `Leave out ${nameOf(path)}`,
      onclick: () => choose(codes.filter((other) => other !== path)) }, "\u00d7"))));
}

function card(said, i) {
  const hidden = byId("hide").checked;
  return make("section", { class: "card" },
    make("h3", {}, hidden ? `Rater ${String.fromCharCode(65 + i)}` : said.rater,
      said.unsure ? make("span", { class: "warning" }, " unsure") : ""),
    make("ul", {}, said.codes.map((path) => make("li", {}, nameOf(path)))),
    said.memo === "" ? null : make("blockquote", {}, said.memo),
    make("button", { type: "button", onclick: () => choose(said.codes), "aria-keyshortcuts": String(i + 1) },
      "Take this ", make("kbd", {}, i + 1)));
}

/* What each rater marked, side by side; what stands in a row is taken for the same unit. */
function unitTable(one) {
  const raters = [...new Set(one.units.flatMap((unit) => unit.marks.map((mark) => mark.rater)))];
  const name = (rater, i) => (byId("hide").checked ? `Rater ${String.fromCharCode(65 + i)}` : rater);
  const cell = (unit, rater) => {
    const mark = unit.marks.find((other) => other.rater === rater);
    return make("td", {}, mark === undefined ? "\u2014" : mark.name || mark.place || "not placed");
  };
  return make("table", { class: "unit-table" }, make("caption", { class: "unseen" }, "Units of this item"),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Unit"),
      raters.map((rater, i) => make("th", { scope: "col" }, name(rater, i))))),
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

function showPanel() {
  const one = dispute(), decided = one.decision, without = lacking(one).length;
  byId("dimension").textContent = one.unit === undefined ? dimension().name : `Unit ${one.unit}: ${dimension().name}`;
  showUnits(one);
  byId("said").replaceChildren(...one.said.map(card), ...(without === 0 ? [] : [make("p", { class: "warning" },
    `Not marked by ${without === 1 ? "the other rater" : `${without} raters`}.`)]));
  byId("code").replaceChildren(make("option", { value: "" }, dimension().several ? "Add a code" : "Choose a code"),
    ...dimension().codes.map((code) => make("option", { value: code.path },
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

async function showPost() {
  const { item } = await get(`item/${dispute().item}`);
  if (item.id !== dispute().item) return; // gone on meanwhile
  showItem(byId("post"), item);
  byId("post").prepend(make("p", { class: "soft" }, `Dispute ${state.shown.at + 1} of ${state.shown.count}`));
  window.scrollTo(0, 0);
  showMarks(dispute());
  byId("post").focus({ preventScroll: true });
}

/* which: a number, "item/ID", or "" for the first that is not settled. */
async function show(which) {
  try {
    let shown = await get(`dispute/${which}`);
    for (; shown.as_of === null || (shown.count === 0 && !shown.current); shown = await get(`dispute/${which}`)) {
      byId("post").replaceChildren(make("p", { class: "soft" }, "Looking for disputes \u2026"));
      await new Promise((done) => setTimeout(done, SOON_MS));
    }
    state.shown = shown;
    showCount();
    byId("panel").hidden = !hasDispute();
    if (!hasDispute()) {
      showNone();
      return;
    }
    showPanel();
    await showPost();
  } catch (error) {
    tellError(error);
  }
}

const step = (by) => show((state.shown.at + by + state.shown.count) % state.shown.count);

async function decide(noUnit = false) {
  if (state.codes.length === 0 && !noUnit) {
    tell("Choose a code first.", true);
    return;
  }
  const one = dispute();
  try {
    await post("decide", { item: one.item, unit: one.unit, no_unit: noUnit, dimension: one.dimension,
      codes: noUnit ? [] : state.codes, reason: byId("decision").reason.value || "other", text: byId("text").value });
    const { at, open } = await get(`dispute/${state.shown.at}`);
    await show(open >= 0 ? open : at);
    tell(state.shown.open >= 0 ? "Saved." : "Saved. All disputes are settled.");
  } catch (error) {
    tellError(error);
  }
}

byId("decision").addEventListener("submit", (event) => {
  event.preventDefault();
  decide();
});
byId("code").addEventListener("change", () => {
  const path = byId("code").value;
  if (path === "") return;
  choose(dimension().several ? [...new Set([...state.codes, path])] : [path]);
});
byId("hide").addEventListener("change", () => {
  localStorage.setItem("assay-hide", byId("hide").checked);
  if (hasDispute()) showPanel();
});
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("post").focus({ preventScroll: true });
});
byId("no-unit").addEventListener("click", () => decide(true));
byId("previous").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));

document.addEventListener("keydown", (event) => {
  if (!isFree(event) || !hasDispute()) return;
  const number = Number(event.key);
  if (number >= 1 && number <= dispute().said.length) choose(dispute().said[number - 1].codes);
  else if (event.key in REASONS) byId("decision").reason.value = REASONS[event.key];
  else if (event.key === "s") byId("decision").requestSubmit();
  else if (event.key === "z" && dispute().unit !== undefined) decide(true);
  else if (event.key === "n") step(1);
  else if (event.key === "p") step(-1);
  else if (event.key === "m") byId("text").focus();
  else return;
  event.preventDefault();
});

try {
  byId("hide").checked = localStorage.getItem("assay-hide") === "true";
  state.task = await get("task");
  showPages(state.task, "arbiter");
  await show(location.hash === "" ? "" : `item/${location.hash.slice(1)}`);
} catch (error) {
  tellError(error);
}
