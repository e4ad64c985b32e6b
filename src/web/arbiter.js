/* The arbiter's page: items in dispute, what each rater said, a decision with its reason. */
import { byId, get, isFree, make, post, showItem, showPages, tell, tellError } from "./page.js";

const REASONS = { a: "slip", b: "ambiguous", g: "gap", o: "other" };
const state = { task: null, disputes: [], at: 0, codes: [] };

const dispute = () => state.disputes[state.at];
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

function showPanel() {
  const one = dispute(), decided = one.decision;
  byId("dimension").textContent = dimension().name;
  byId("said").replaceChildren(...one.said.map(card));
  byId("code").replaceChildren(make("option", { value: "" }, dimension().several ? "Add a code" : "Choose a code"),
    ...dimension().codes.map((code) => make("option", { value: code.path },
      "\u2003".repeat(code.level - 1) + code.name)));
  choose(decided?.codes ?? []);
  for (const radio of byId("decision").reason) radio.checked = radio.value === decided?.reason;
  byId("text").value = decided?.text ?? "";
  byId("before").textContent = decided === null ? "" :
    `Decided${byId("hide").checked ? "" : ` by ${decided.by}`}; a new decision counts instead, the old one is kept.`;
}

function showCount() {
  const done = state.disputes.filter((one) => one.decision !== null).length;
  byId("count").textContent = `${done} of ${state.disputes.length} settled`;
  byId("progress").max = Math.max(state.disputes.length, 1);
  byId("progress").value = done;
}

async function show(at) {
  showCount();
  byId("panel").hidden = state.disputes.length === 0;
  if (state.disputes.length === 0) {
    byId("post").replaceChildren(make("h1", {}, "No disputes"), make("p", {},
      "Items on which raters of a closed round differ come here."));
    return;
  }
  state.at = (at + state.disputes.length) % state.disputes.length;
  showPanel();
  try {
    const { item } = await get(`item/${dispute().item}`);
    if (item.id !== dispute().item) return; // gone on meanwhile
    showItem(byId("post"), item);
    byId("post").prepend(make("p", { class: "soft" }, `Dispute ${state.at + 1} of ${state.disputes.length}`));
    window.scrollTo(0, 0);
    byId("post").focus({ preventScroll: true });
  } catch (error) {
    tellError(error);
  }
}

async function load() {
  state.disputes = (await get("disputes")).disputes;
}

function firstOpen() {
  const n = state.disputes.length;
  for (let i = 0; i < n; i++)
    if (state.disputes[(state.at + i) % n].decision === null) return (state.at + i) % n;
  return state.at;
}

async function decide() {
  if (state.codes.length === 0) {
    tell("Choose a code first.", true);
    return;
  }
  const one = dispute();
  try {
    await post("decide", { item: one.item, dimension: one.dimension, codes: state.codes,
      reason: byId("decision").reason.value, text: byId("text").value });
    tell("Saved.");
    await load();
    await show(firstOpen());
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
  if (state.disputes.length > 0) showPanel();
});
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("post").focus({ preventScroll: true });
});
byId("previous").addEventListener("click", () => show(state.at - 1));
byId("next").addEventListener("click", () => show(state.at + 1));

document.addEventListener("keydown", (event) => {
  if (!isFree(event) || state.disputes.length === 0) return;
  const number = Number(event.key);
  if (number >= 1 && number <= dispute().said.length) choose(dispute().said[number - 1].codes);
  else if (event.key in REASONS) byId("decision").reason.value = REASONS[event.key];
  else if (event.key === "s") byId("decision").requestSubmit();
  else if (event.key === "n") show(state.at + 1);
  else if (event.key === "p") show(state.at - 1);
  else if (event.key === "m") byId("text").focus();
  else return;
  event.preventDefault();
});

try {
  byId("hide").checked = localStorage.getItem("assay-hide") === "true";
  state.task = await get("task");
  showPages(state.task, "arbiter");
  await load();
  await show(firstOpen());
} catch (error) {
  tellError(error);
}
