/* All items: who said what of them when their round is closed, and what people say to each other about one. */
import { listParts, Pager } from "./list.js";
import { byId, get, make, plural, post, randomKey, Refused, showItem, showPages, tellError } from "./page.js";

const SOON_MS = 400;
const state = { task: null, item: null, key: null }; // key: of the remark that is being written, so that it is stored once

const raterName = (rater) => (state.task.names_hidden && rater.length <= 2 ? `Rater ${rater}` : rater);
const dimensionName = (id) => state.task.dimensions.find((one) => one.id === id)?.name ?? id;
const several = () => state.task.dimensions.length > 1;

function codeNames(dimension, paths) {
  const codes = state.task.dimensions.find((one) => one.id === dimension)?.codes ?? [];
  return paths.map((path) => codes.find((one) => one.path === path)?.name ?? path).join(", ");
}

/* What each rater said, and what was decided. */
function labels(one) {
  return one.labels.map((label) => make("div", { class: "told" },
    several() || label.unit !== "" ? make("b", {}, `${label.unit === "" ? "" : `Unit ${label.unit}: `}${dimensionName(label.dimension)}`) : null,
    make("ul", {}, label.said.map((said) => make("li", {}, make("span", { class: "soft" }, `${raterName(said.rater)}: `),
      codeNames(label.dimension, said.codes), said.unsure ? make("span", { class: "warning" }, " unsure") : null,
      said.memo === "" ? null : make("span", { class: "soft" }, ` \u2014 ${said.memo.slice(0, 200)}`)))),
    label.decision.length === 0 ? null : make("p", {}, make("span", { class: "soft" }, "decided: "), codeNames(label.dimension, label.decision))));
}

const states = (one) => (one.over ? [...new Set(one.labels.map((label) => label.state))].join(", ") : "round not closed");

function row(one) {
  return make("tr", { "data-item": one.id },
    make("th", { scope: "row" }, one.over ? make("button", { type: "button", class: "quiet item-name", title: one.key, onclick: () => look(one.id) }, one.key)
      : make("span", { class: "item-name", title: one.key }, one.key)),
    make("td", { class: "whole" }, states(one)), make("td", {}, labels(one)),
    make("td", {}, one.remarks === 0 ? "" : plural(one.remarks, "remark")));
}

function showThread(said) {
  const [one] = said.told;
  state.item = said.item.id ?? one.id;
  byId("look-title").textContent = `Item ${one.key}`;
  byId("said").replaceChildren(...labels(one));
  byId("thread").replaceChildren(...said.remarks.map((remark) => make("li", {},
    make("p", { class: "soft" }, `${remark.own ? "You" : raterName(remark.by)}, ${new Date(remark.at).toLocaleString()}`),
    make("p", { class: "remark" }, remark.text))));
}

async function look(id) {
  try {
    const said = await get(`thread/${id}`);
    showItem(byId("post"), said.item);
    showThread(said);
    byId("text").value = "";
    byId("remark-said").textContent = "";
    byId("look").showModal();
  } catch (error) {
    tellError(error);
  }
}

/* A remark that was sent twice, because no answer came, is stored once. */
byId("remark").addEventListener("submit", async (event) => {
  event.preventDefault();
  state.key ??= randomKey();
  try {
    await post("remark", { item: state.item, text: byId("text").value.trim(), key: state.key });
    state.key = null;
    byId("text").value = "";
    byId("remark-said").textContent = "";
    showThread(await get(`thread/${state.item}`));
    pager.begin();
  } catch (error) {
    if (error instanceof Refused && error.status < 500) state.key = null;
    byId("remark-said").textContent = error instanceof Refused ? `${error.message}.` : "Not connected: try again.";
  }
});
byId("text").addEventListener("input", () => { state.key = null; });
byId("look-close").addEventListener("click", () => byId("look").close());

const pager = new Pager({ name: "all", row, ...listParts(byId("all"), ["Item", "State", "Labels", "Discussion"],
  "Search: code, rater, memo, differ, agree, decided, discussed, open") });

/* Labels are read aside when the server starts. */
async function ready() {
  for (;;) {
    try {
      return await get("all/0", []);
    } catch (error) {
      if (!(error instanceof Refused) || !error.message.includes("still being read")) throw error;
      await new Promise((done) => setTimeout(done, SOON_MS));
    }
  }
}

try {
  state.task = await get("task");
  showPages(state.task, "items");
  byId("title").textContent = state.task.arbiter ? "All items" : "Discussion";
  byId("about").textContent = state.task.arbiter
    ? "Who said what is shown, and can be talked about, when an item\u2019s round is closed."
    : "Items of closed rounds that were yours: what all raters said of them, to be talked about.";
  await ready();
  await pager.begin();
  if (location.hash !== "") await look(location.hash.slice(1));
} catch (error) {
  tellError(error);
}
