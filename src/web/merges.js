/* Merges of verbs and objects: one after the other, with titles that have the words, by keys or pointer. */
import { Pager } from "./list.js";
import { byId, clock, get, isFree, make, plural, post, Refused, tell, tellError } from "./page.js";

const DECIDED = { accept: "accepted", refuse: "refused" };
const state = { task: null, rows: [], listed: new Set(), at: -1, turn: 0, sending: false };

const name = (entry) => `${entry.from}${entry.with === "" ? "" : ` (with ${entry.with})`}${entry.item === "" ? "" : ` in ${entry.item}`}`;
const shownName = (entry) => (entry.from === "" ? `any ${entry.level} in ${entry.item}` : name(entry));
const current = () => state.rows[state.at] ?? null;

/* What one decided: of the words of this merge only into what. */
const said = (entry, one) => (one.from === entry.from ? one.into : `${one.from} \u2192 ${one.into}`);

/* The list. */

function verdictOf(entry) {
  if (entry.verdict === "") return null;
  return make("span", { class: entry.verdict === "accept" ? "good" : "bad" }, entry.circle ? "leads back" : DECIDED[entry.verdict]);
}

function fill(button, entry) {
  button.replaceChildren(make("span", {}, make("b", {}, shownName(entry)), " \u2192 ", entry.into), verdictOf(entry) ?? make("span", { class: "soft" }, plural(entry.items, "title")),
    make("span", { class: "soft" }, entry.said.length > 0 ? [...new Set(entry.said.map((one) => `${one.who}: ${one.verdict} ${said(entry, one)}`))].join("; ")
      : `${entry.level}${entry.reason === "" ? "" : `, ${entry.reason}`}`));
}

const keyOf = (entry) => JSON.stringify([entry.level, entry.from, entry.with, entry.item, entry.into]);

function row(entry) {
  if (state.listed.has(keyOf(entry))) return null;
  state.listed.add(keyOf(entry));
  const at = state.rows.length, button = make("button", { type: "button", onclick: () => choose(at) });
  state.rows.push(Object.assign(entry, { button }));
  fill(button, entry);
  return make("li", {}, button);
}

const pager = new Pager({ name: "", search: byId("search"), rows: byId("rows"), count: byId("count"), more: byId("more"), row,
  said: showProgress, unit: "merge" });

function showProgress(said) {
  byId("progress").textContent = `${said.left.toLocaleString("en")} to decide, ${said.done.toLocaleString("en")} decided`;
}

async function list() {
  pager.name = `merges/${byId("order").value}/${byId("level").value}/${byId("state").value}`;
  byId("order").disabled = byId("state").value !== "open"; // what was decided comes newest first
  await pager.begin();
}

pager.onbegin = () => {
  state.rows = [];
  state.listed.clear();
  state.at = -1;
  byId("card").hidden = true;
  byId("nothing").hidden = true;
};
/* The server's list of what is open becomes shorter with each decision, so it is gone over again. */
pager.onmore = () => {
  if (byId("state").value === "open") pager.next = 0;
};
/* Why a list is empty, if no words were searched. */
function nothing() {
  if (byId("state").value !== "open") return "Nothing is decided yet.";
  return state.task.arbiter ? "There is no merge on which people differ." : "Nothing is left to decide. Where something was decided, assay run may propose more.";
}

pager.ondone = () => {
  byId("nothing").textContent = nothing();
  byId("nothing").hidden = state.rows.length > 0 || byId("search").value.trim() !== "" || pager.next !== null;
  if (state.at < 0 && state.rows.length > 0) choose(0);
};

/* One of them. */

/* The words of a term in a title, in whatever form they stand there: by their beginning. */
function marked(title, term) {
  const stems = term.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "").map((word) => (word.length > 4 ? word.slice(0, -1) : word));
  return title.split(/([\p{L}\p{N}]+)/u).map((part) => (stems.some((stem) => part.toLowerCase().startsWith(stem)) ? make("mark", {}, part) : part));
}

async function showTitles(entry, side, turn) {
  const term = side === "from" ? entry.from : entry.into, head = byId(`${side}-head`), place = byId(`${side}-titles`);
  head.textContent = term;
  place.replaceChildren();
  if (term === "") return;
  try {
    const said = await get(`titles/${entry.level}/${encodeURIComponent(term)}`);
    if (turn !== state.turn) return;
    const all = side === "from" && entry.items > said.items ? `${plural(entry.items, "title")} with what was merged into it, ` : "";
    const some = said.titles.length < said.items ? `; ${said.titles.length} of them:` : "";
    head.replaceChildren(term, " ", make("span", { class: "soft" }, all + (said.items === 0 ? "in no title as such" : `${plural(said.items, "title")} as such${some}`)));
    place.replaceChildren(...said.titles.map((one) => make("li", { title: one.key }, marked(one.title, term))));
  } catch (error) {
    tellError(error);
  }
}

function evidence(entry) {
  const parts = [["synonyms", "WordNet"], ["shared", "beside the same words"], ["near", "among the same words"], ["before", "decided before"]]
    .filter(([key]) => entry[key] > 0).map(([key, words]) => `${words} ${entry[key].toFixed(2)}`);
  return entry.reason === "" ? (entry.why === "" ? "" : `Why: ${entry.why}`)
    : `Proposed: ${entry.reason}; score ${entry.score.toFixed(2)} (${parts.join(", ")}).`;
}

function choose(at) {
  const entry = state.rows[at], before = current();
  if (entry === undefined) return;
  if (before !== null) before.button.removeAttribute("aria-current");
  state.at = at;
  const turn = ++state.turn;
  entry.button.setAttribute("aria-current", "true");
  entry.button.scrollIntoView({ block: "nearest" });
  byId("card").hidden = false;
  byId("card-title").replaceChildren(shownName(entry), make("span", { class: "soft" }, " into "), entry.into);
  byId("reason").textContent = evidence(entry);
  byId("said").hidden = entry.said.length === 0;
  byId("said").replaceChildren(...entry.said.map((one) => make("li", {}, make("b", {}, one.who), ` ${one.verdict === "accept" ? "accepts" : "refuses"} `,
    one.into, one.why === "" ? "" : make("span", { class: "soft" }, ` \u2014 ${one.why}`))));
  byId("into").value = entry.into;
  byId("with").value = entry.with;
  byId("with-label").textContent = entry.level === "action" ? "Only with object" : "Only with verb";
  byId("why").value = entry.verdict === "" ? "" : entry.why;
  byId("undo").hidden = entry.verdict === "";
  showTitles(entry, "from", turn);
  showTitles(entry, "into", turn);
}

/* Deciding: what the server has confirmed is shown as decided, and the next one comes. */
async function decide(verdict, about, entry) {
  if (state.sending) return false;
  state.sending = true;
  try {
    await post("merge", { level: about.level, from: about.from, with: about.with, item: about.item, into: about.into, verdict, why: about.why });
    tell("");
    byId("saved").textContent = `Saved ${clock(Date.now())}`;
    if (entry !== null) {
      const same = entry.into === about.into && entry.with === about.with;
      if (same || verdict === "accept") Object.assign(entry, about, { verdict: verdict === "undo" ? "" : verdict, circle: false });
      fill(entry.button, entry);
    }
    return true;
  } catch (error) {
    byId("saved").textContent = error instanceof Refused ? "" : "Not saved";
    tellError(error);
    return false;
  } finally {
    state.sending = false;
  }
}

/* How many there are now; the list itself stays as it is, so that nothing moves under the pointer. */
async function recount() {
  try {
    showProgress(await get(`${pager.name}/${Number.MAX_SAFE_INTEGER}`));
  } catch (error) {
    tellError(error);
  }
}

async function decideHere(verdict) {
  const entry = current();
  if (entry === null) return;
  const changed = { into: byId("into").value.trim(), with: byId("with").value.trim(), why: byId("why").value.trim() };
  if (changed.into === "") return void byId("into").focus();
  const about = { level: entry.level, from: entry.from, item: entry.item, ...changed };
  if (verdict === "undo") Object.assign(about, { into: entry.into, with: entry.with });
  if (!(await decide(verdict, about, entry))) return;
  await recount();
  if (verdict === "undo") choose(state.at);
  else await step(1);
}

async function step(by) {
  if (by > 0 && state.at + 1 >= state.rows.length && !byId("more").hidden) await pager.go(pager.turn);
  choose(Math.min(Math.max(state.at + by, 0), state.rows.length - 1));
  document.activeElement?.blur();
}

byId("decide").addEventListener("submit", (event) => {
  event.preventDefault();
  decideHere("accept");
});
byId("refuse").addEventListener("click", () => decideHere("refuse"));
byId("undo").addEventListener("click", () => decideHere("undo"));
byId("skip").addEventListener("click", () => step(1));
byId("filter").addEventListener("submit", (event) => event.preventDefault());
for (const id of ["state", "level", "order"]) byId(id).addEventListener("change", list);

byId("free").addEventListener("submit", async (event) => {
  event.preventDefault();
  const about = { level: byId("free-level").value, from: byId("free-from").value.trim(), with: "", item: "",
    into: byId("free-into").value.trim(), why: byId("free-why").value.trim() };
  if (!(await decide("accept", about, null))) return;
  event.target.reset();
  await recount();
});

const KEYS = { a: () => decideHere("accept"), r: () => decideHere("refuse"), u: () => current()?.verdict && decideHere("undo"),
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  w: () => byId("why").focus(), i: () => byId("into").select(), "/": () => byId("search").focus() };

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.activeElement?.blur();
  if (!isFree(event) || KEYS[event.key] === undefined || event.target.tagName === "SUMMARY") return;
  event.preventDefault();
  KEYS[event.key]();
});

try {
  state.task = await get("merging");
  byId("study").textContent = state.task.title;
  document.title = `${state.task.name}: ${state.task.title}`;
  if (state.task.arbiter) byId("list-title").textContent = "Merges on which people differ";
  await list();
} catch (error) {
  tellError(error);
}
