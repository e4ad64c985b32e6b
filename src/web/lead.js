/* The lead's page: who has done what, how far raters agree, rounds and proposals. */
import { address, byId, clock, get, make, plural, post, showItem, showPages, tell, tellError } from "./page.js";

const REFRESH_MS = 30000, BUSY_MS = 5000, SOON_MS = 300; // labels came meanwhile; something was done here
const SOON_TIMES = 20;
const LISTED = 10; // slowest and most disputed items
const EXPORTS = [["final", "final labels"], ["said", "what each rater says"], ["decisions", "decisions"], ["acts", "all acts"],
  ["remarks", "discussions"]];
const percent = (share) => (share === null ? "\u2013" : `${(100 * share).toFixed(1)}%`);
const real = (value) => (value === null ? "\u2013" : value.toFixed(3));

function table(place, head, rows, numbers = true) {
  const cell = (value, i) => (i === 0 ? make("th", { scope: "row" }, value) : make("td", {}, value));
  place.className = numbers ? "numbers" : "";
  place.replaceChildren(make("thead", {}, make("tr", {}, head.map((one) => make("th", { scope: "col" }, one)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map(cell)))));
  return place;
}

const tableOf = (head, rows) => make("div", { class: "scroll" }, table(make("table"), head, rows));

function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/* Progress. */

function showRaters(raters) {
  table(byId("raters"), ["rater", "done", "of", "progress", "unsure", "time", "seconds an act", "last"],
    raters.map((one) => [one.name, one.done, one.assigned,
      make("progress", { max: Math.max(one.assigned, 1), value: one.done, "aria-label": `${one.name} has done` }),
      one.unsure, duration(one.seconds), one.acts > 0 ? (one.seconds / one.acts).toFixed(0) : "\u2013",
      one.last > 0 ? new Date(one.last).toLocaleString() : "\u2013"]));
}

/* Raters that are models. */
function showModels(models) {
  byId("models-part").hidden = models.length === 0;
  table(byId("models"), ["rater", "model", "done", "of", "progress", "requests", "refused", "cut", "no code", "tokens", "last"],
    models.map((one) => [one.name, one.model, one.items, one.of > 0 ? one.of : "\u2013",
      make("progress", { max: Math.max(one.of, 1), value: one.items, "aria-label": `${one.name} has answered` }),
      one.requests, one.refused, one.cut, one.unreadable, one.tokens.toLocaleString(), one.last > 0 ? new Date(one.last).toLocaleString() : "\u2013"]));
}

/* Who is not done is said before: what they still send comes too late. */
async function close(round, raters) {
  const open = raters.filter((one) => one.done < one.assigned);
  const left = open.length === 0 ? "Everybody is done. " : `Not done: ${open.map((one) =>
    `${one.name} (${one.assigned - one.done} of ${one.assigned} left)`).join(", ")}. What they send after this is kept apart and does not count. `;
  if (!confirm(`Close this round? ${left}Its labels are then final as what raters said alone, and it cannot be opened again.`)) return;
  await act(() => post("round", { close: round.id }));
}

function showRounds(said) {
  const open = said.rounds.some((round) => round.closed === 0);
  const form = byId("open-round");
  const wanted = () => ({ chosen: said.queue, training: said.items })[form.kind.value] ?? said.plan.items;
  table(byId("rounds"), ["round", "kind", "items", "done", "of", "opened", "closed"], said.rounds.map((round, i) =>
    [i + 1, round.kind, round.items, round.done, round.assigned, new Date(round.opened).toLocaleString(),
      round.closed > 0 ? new Date(round.closed).toLocaleString()
        : make("button", { type: "button", onclick: () => close(round, said.raters) }, "Close")]));
  byId("rounds").hidden = said.rounds.length === 0;
  if (form.hidden && !open) {
    form.kind.value = said.plan.items > 0 ? said.plan.kind : said.queue > 0 ? "chosen" : "training";
    form.items.value = wanted();
    form.raters.value = said.plan.raters;
    form.overlap.value = 100 * said.plan.overlap;
    form.retest.value = 100 * said.plan.retest;
  }
  form.hidden = byId("round-help").hidden = open;
  [...form.kind.options].find((one) => one.value === "chosen").hidden = said.queue === 0;
  form.kind.onchange = () => { form.items.value = wanted(); };
  byId("no-items").hidden = open || said.plan.items > 0;
}

byId("open-round").addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  await act(() => post("round", { kind: form.kind.value, items: Number(form.items.value),
    raters: Number(form.raters.value), overlap: Number(form.overlap.value) / 100,
    retest: Number(form.retest.value) / 100 }));
});

/* What nobody should overlook: a full disk, items that are not what they were, labels that came too late. */
function showTroubles(said) {
  const some = (list) => `${list.slice(0, 10).join(", ")}${list.length > 10 ? ", \u2026" : ""}`;
  byId("trouble").hidden = said.trouble === "";
  byId("trouble").textContent = said.trouble === "" ? "" : `Nothing can be saved: ${said.trouble}. What raters do is kept in their browsers.`;
  const gone = said.gone ?? [], changed = said.changed ?? [];
  byId("lost").hidden = gone.length + changed.length === 0;
  byId("lost").replaceChildren(...[[gone, "no longer in the corpus"], [changed, "with another text than raters saw"]]
    .filter(([list]) => list.length > 0).map(([list, what]) =>
      make("p", { class: "warning" }, `${plural(list.length, "item")} ${what}: ${some(list)}.`)));
  byId("late").hidden = said.late.length === 0;
  byId("late-list").replaceChildren(said.late.length === 0 ? "" : tableOf(["rater", "item", "round", "what", "codes", "memo", "came"],
    said.late.map((one) => [one.rater, one.item, said.rounds.findIndex((round) => round.id === one.round) + 1, one.what,
      one.codes.join(", "), one.memo.slice(0, 200), new Date(one.at).toLocaleString()])));
}

function showFinals(said) {
  const finals = said.finals;
  if (finals === null) {
    byId("finals").textContent = `${plural(said.items, "item")} in the task. You rate in the round that is open: ` +
      "how labels come out, and agreement in it, are shown when it is closed.";
    return;
  }
  byId("finals").textContent = `${plural(said.items, "item")} in the task; labels so far: ` +
    `${finals.unanimous} unanimous, ${finals.adjudicated} adjudicated, ${finals.unresolved} unresolved, ` +
    `${finals.single} by one rater, ${finals.pending} pending` +
    (finals.review > 0 ? `; ${finals.review} to be looked at again` : "") +
    (finals.outside > 0 ? `; and ${plural(finals.outside, "labelled item")} no longer in the sample` : "") +
    (finals.chosen > 0 ? `; and ${finals.chosen} of chosen rounds, which are kept apart` : "") + ".";
}

function showProposals(proposals) {
  const judge = (one, accept) => act(() => post("judge", { id: one.id, accept, reason: "" }));
  const waiting = (one) => make("span", {},
    make("button", { type: "button", class: "main", onclick: () => judge(one, true) }, "Accept"), " ",
    make("button", { type: "button", onclick: () => judge(one, false) }, "Reject"));
  byId("proposals").replaceChildren(proposals.length === 0 ? make("p", { class: "soft" }, "None.")
    : tableOf(["code", "below", "dimension", "meaning", "by", "verdict"], proposals.map((one) => [one.name,
      one.parent === "" ? "(top)" : one.parent, one.dimension, one.text, one.rater,
      one.verdict === "waiting" ? waiting(one) : one.verdict])));
}

/* Agreement. */

const NAMES = { cohen: "Cohen\u2019s \u03ba", fleiss: "Fleiss\u2019 \u03ba", alpha: "Krippendorff\u2019s \u03b1",
  ac1: "Gwet\u2019s AC1" };

/* Two raters: Cohen; more: Krippendorff. */
const chief = (measures) => (measures.cohen.value !== null ? "cohen" : "alpha");

function words(one) {
  if (one.value === null) return `undefined${one.undefined ? `: ${one.undefined}` : ""}`;
  const interval = one.low === null ? "" : ` (${real(one.low)} to ${real(one.high)})`;
  return `${real(one.value)}${interval}, ${one.word}`;
}

function row(name, measures) {
  const one = measures[chief(measures)];
  return [name, measures.items, percent(measures.observed), real(one.value),
    one.low === null ? "\u2013" : `${real(one.low)} to ${real(one.high)}`, one.word ?? one.undefined ?? ""];
}

function svg(tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/* How many codes had been used after so many items: a flat end means that no new ones come. */
function saturation(steps, codeCount, counted) {
  const width = 400, height = 190, left = 40, bottom = 34, top = 26, right = 14;
  const items = steps.at(-1)[0], codes = Math.max(codeCount, steps.at(-1)[1]);
  const x = (n) => left + (width - left - right) * n / items;
  const y = (n) => height - bottom - (height - bottom - top) * n / codes;
  const line = steps.map(([n, k], i) => `${i === 0 ? `M${x(0)} ${y(0)}` : ""}H${x(n)}V${y(k)}`).join("");
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img",
    "aria-label": `After ${items} ${counted}s ${steps.at(-1)[1]} of ${codeCount} codes had been used` });
  picture.append(svg("path", { d: `M${left} ${top}V${height - bottom}H${width - right}`, class: "axis" }),
    svg("path", { d: `M${left} ${y(codeCount)}H${width - right}`, class: "limit" }),
    svg("path", { d: line, class: "line" }),
    svg("text", { x: left - 6, y: y(0) + 4, "text-anchor": "end" }, "0"),
    svg("text", { x: left - 6, y: y(codeCount) + 4, "text-anchor": "end" }, codeCount),
    svg("text", { x: x(items), y: height - bottom + 16, "text-anchor": "end" }, items),
    svg("text", { x: (left + width) / 2, y: height - 4, "text-anchor": "middle" }, `${counted}s labelled`),
    svg("text", { x: left, y: 12 }, "codes used")); // above the curve, wherever it goes
  return make("figure", {}, picture, make("figcaption", {},
    `After ${plural(items, counted)}, ${steps.at(-1)[1]} of ${plural(codeCount, "code")} had been used.`));
}

async function lookAt(one, disputed) {
  try {
    showItem(byId("post"), (await get(`item/${one.id}`)).item);
    byId("look-title").textContent = `Item ${one.item}`;
    byId("look-arbiter").hidden = !disputed;
    byId("look-arbiter").href = `arbiter#${one.id}`;
    byId("look").showModal();
  } catch (error) {
    tellError(error);
  }
}

function items(name, list, disputed, value) {
  if (list.length === 0) return null;
  return make("div", {}, make("h3", {}, name), make("ol", {}, list.slice(0, LISTED).map((one) => make("li", {},
    make("button", { type: "button", class: "quiet item-name", title: one.item, onclick: () => lookAt(one, disputed) }, one.item), " ",
    make("span", { class: "soft" }, value(one))))));
}

/* Which codes are taken for which: what raters agree on in one colour, where they differ in another. */
function heat(count, most, kind) {
  return count === 0 ? "" : `heat ${kind}${Math.max(1, Math.round(5 * count / most))}`;
}

function confusion(one) {
  const codes = one.confused, two = one.pairs.length === 1 ? one.pairs[0] : null;
  const counts = new Map(one.confusion.map(([a, b, n]) => [`${a} ${b}`, n]));
  const most = (same) => Math.max(1, ...one.confusion.filter(([a, b]) => (a === b) === same).map((cell) => cell[2]));
  const agree = most(true), differ = most(false);
  const cell = (a, b) => {
    const n = counts.get(`${a.code} ${b.code}`) ?? 0, same = a === b;
    return make("td", { class: heat(n, same ? agree : differ, same ? "same" : "other"),
      title: `${a.name}, ${b.name}: ${n}` }, n === 0 ? "" : n);
  };
  const often = one.confusion.filter(([a, b]) => a !== b).sort((x, y) => y[2] - x[2]).slice(0, 3);
  const nameOf = (code) => codes.find((known) => known.code === code).name;
  return make("div", {},
    make("p", { class: "soft" }, two === null ? `All ${one.pair_count} pairs of raters taken together.`
      : `Rows: what ${two.first} said; columns: what ${two.second} said.`,
    often.length === 0 ? "" : ` Most often taken for each other: ${often.map(([a, b, n]) =>
      `${nameOf(a)} and ${nameOf(b)} (${n})`).join(", ")}.`),
    make("div", { class: "scroll" }, make("table", { class: "confusion" },
      make("thead", {}, make("tr", {}, make("td"), codes.map((code, i) =>
        make("th", { scope: "col", title: code.name, "aria-label": code.name }, i + 1)))),
      make("tbody", {}, codes.map((a, i) => make("tr", {}, make("th", { scope: "row" }, `${i + 1} ${a.name}`),
        codes.map((b) => cell(a, b))))))));
}

const part = (name, content) => make("details", { "data-part": name }, make("summary", {}, name), content);

/* How far raters mark the same units of an item. */
function units(one) {
  return make("div", {}, make("p", {}, `Units that both raters of a pair have marked: F1 ${real(one.units.at(-1).f1)}.`),
    tableOf(["raters", "items", "first's", "second's", "matched", "F1"], one.units.map((pair) =>
      [pair.first === "" ? "all pairs" : `${pair.first}, ${pair.second}`, pair.items, pair.first_units, pair.second_units,
        pair.matched, real(pair.f1)])));
}

function showDimension(one) {
  const what = one.units === undefined ? "item" : "unit";
  const head = (first) => [first, `${what}s`, "equal", "coefficient", "95% interval", "in words"];
  const main = chief(one);
  return make("section", { "aria-label": `Agreement: ${one.name}`, "data-dimension": one.id },
    make("h2", {}, `Agreement: ${one.name}`),
    make("p", {}, make("strong", { class: "kappa" }, `${NAMES[main]} ${words(one[main])}`),
      ` \u00b7 ${plural(one.items, what)} with two labels or more, ${percent(one.observed)} of pairs equal`),
    one.warning === "" ? null : make("p", { class: "warning" }, one.warning),
    one.units === undefined ? null : units(one),
    make("p", { class: "soft" }, Object.keys(NAMES).filter((name) => name !== main)
      .map((name) => `${NAMES[name]} ${words(one[name])}`).join(" \u00b7 ")),
    one.checkpoints.length === 0 ? null : part("By checkpoint",
      tableOf(head("done"), one.checkpoints.map((at) => row(percent(at.share), at)))),
    one.codes.length === 0 ? null : part("By code", tableOf([...head("code"), "given"], one.codes.map((code) =>
      [...row("\u2003".repeat(code.level - 1) + code.name, code), code.given]))),
    one.levels.length < 2 ? null : part("By level of the tree",
      tableOf(head("level"), one.levels.map((level) => row(`level ${level.level}`, level)))),
    one.retests.length === 0 ? null : part("Raters with themselves, on items that came twice",
      tableOf(head("rater"), one.retests.map((again) => row(again.rater, again)))),
    one.confused.length === 0 ? null : part("What is taken for what", confusion(one)),
    one.pairs.length < 2 ? null : part(one.pairs.length < one.pair_count
      ? `By pair of raters, the ${one.pairs.length} of ${one.pair_count} that agree least` : "By pair of raters",
    tableOf(head("raters"), one.pairs.map((pair) => row(`${pair.first}, ${pair.second}`, pair)))),
    make("div", { class: "columns" },
      one.saturation.length === 0 ? null : make("div", {}, make("h3", {}, "Saturation"),
        saturation(one.saturation, one.code_count, what)),
      items("Most disputed", one.disputed, true, (item) => `${percent(item.disagreement)} of pairs differ`),
      items("Slowest", one.slowest, false, (item) => `${item.seconds.toFixed(0)} s`)));
}

const WORDS = "In words, after Landis and Koch (1977): below 0 poor, to 0.20 slight, to 0.40 fair, to 0.60 moderate, " +
  "to 0.80 substantial, above almost perfect. All from what raters said before they talked; chosen and training rounds left out.";

function showAgreement(list) {
  const name = (one) => `${one.closest("[data-dimension]").dataset.dimension}/${one.dataset.part}`;
  const open = new Set([...document.querySelectorAll("#agreement details[open]")].map(name));
  byId("agreement").replaceChildren(...list.map(showDimension), make("p", { class: "soft" }, WORDS));
  for (const one of document.querySelectorAll("#agreement details")) one.open = open.has(name(one));
}

/* Looking again, now and then. What takes long is made aside by the server, as of a moment. */

let shown = null, soon = SOON_TIMES, timer = 0;

async function look() {
  let wait = REFRESH_MS;
  clearTimeout(timer);
  try {
    const said = await get("lead");
    showRaters(said.raters);
    showRounds(said);
    showProposals(said.proposals);
    showTroubles(said);
    if (said.as_of !== null && `${said.as_of} ${said.blind}` !== shown) {
      shown = `${said.as_of} ${said.blind}`;
      showModels(said.models);
      showFinals(said);
      showAgreement(said.agreement);
    }
    byId("when").textContent = said.as_of === null ? "being computed" :
      `agreement as of ${clock(said.as_of)}${said.current ? "" : ", being renewed"}`;
    if (!said.current) wait = soon-- > 0 ? SOON_MS : BUSY_MS;
  } catch (error) {
    tellError(error);
  }
  timer = setTimeout(() => { if (!document.hidden) look(); }, wait);
}

async function act(what) {
  tell("");
  soon = SOON_TIMES;
  try {
    await what();
  } catch (error) {
    tellError(error);
  }
  await look();
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
byId("again").addEventListener("click", () => act(async () => {}));
byId("look-close").addEventListener("click", () => byId("look").close());
try {
  byId("copy").href = address("copy");
  byId("exports").replaceChildren(...EXPORTS.flatMap(([layer, name], i) => [i === 0 ? "" : ", ",
    make("a", { href: address(`export/${layer}`), download: `${layer}.csv` }, name)]));
  showPages(await get("task"), "lead");
  await look();
} catch (error) {
  tellError(error);
}
