/* The lead's page: who has done what, how far raters agree, rounds and proposals. */
import { byId, clock, get, make, plural, post, showPages, tell, tellError } from "./page.js";

const REFRESH_MS = 30000;
const LISTED = 10; // slowest and most disputed items
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
  table(byId("raters"), ["rater", "done", "of", "", "unsure", "time", "seconds an act", "last"],
    raters.map((one) => [one.name, one.done, one.assigned,
      make("progress", { max: Math.max(one.assigned, 1), value: one.done, "aria-label": `${one.name} has done` }),
      one.unsure, duration(one.seconds), one.acts > 0 ? (one.seconds / one.acts).toFixed(0) : "\u2013",
      one.last > 0 ? new Date(one.last).toLocaleString() : "\u2013"]));
}

async function close(round) {
  if (!confirm("Close this round? Its labels are then final as what raters said alone, and it cannot be " +
      "opened again.")) return;
  await act(() => post("round", { close: round.id }));
}

function showRounds(said) {
  const open = said.rounds.some((round) => round.closed === 0);
  const form = byId("open-round");
  table(byId("rounds"), ["round", "kind", "items", "done", "of", "opened", "closed"], said.rounds.map((round, i) =>
    [i + 1, round.kind, round.items, round.done, round.assigned, new Date(round.opened).toLocaleString(),
      round.closed > 0 ? new Date(round.closed).toLocaleString()
        : make("button", { type: "button", onclick: () => close(round) }, "Close")]));
  byId("rounds").hidden = said.rounds.length === 0;
  if (form.hidden && !open) {
    form.kind.value = said.plan.kind;
    form.items.value = said.plan.items;
    form.raters.value = said.plan.raters;
    form.overlap.value = 100 * said.plan.overlap;
    form.retest.value = 100 * said.plan.retest;
  }
  form.hidden = open;
  byId("no-items").hidden = open || said.plan.items > 0;
}

byId("open-round").addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  await act(() => post("round", { kind: form.kind.value, items: Number(form.items.value),
    raters: Number(form.raters.value), overlap: Number(form.overlap.value) / 100,
    retest: Number(form.retest.value) / 100 }));
});

function showFinals(said) {
  const finals = said.finals;
  byId("finals").textContent = `${plural(said.items, "item")} in the task; labels so far: ` +
    `${finals.unanimous} unanimous, ${finals.adjudicated} adjudicated, ${finals.unresolved} unresolved, ` +
    `${finals.single} by one rater, ${finals.pending} pending` + (finals.review > 0 ? `; ${finals.review} to be looked at again` : "") + ".";
}

function showProposals(proposals) {
  const judge = (one, accept) => act(() => post("judge", { id: one.id, accept, reason: "" }));
  const waiting = (one) => make("span", {},
    make("button", { type: "button", class: "main", onclick: () => judge(one, true) }, "Accept"), " ",
    make("button", { type: "button", onclick: () => judge(one, false) }, "Reject"));
  byId("proposals").replaceChildren(proposals.length === 0 ? make("p", { class: "soft" }, "None.")
    : tableOf(["code", "below", "dimension", "meaning", "by", ""], proposals.map((one) => [one.name,
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
function saturation(steps, codeCount) {
  const width = 560, height = 200, left = 40, bottom = 34, top = 12, right = 14;
  const items = steps.at(-1)[0], codes = Math.max(codeCount, steps.at(-1)[1]);
  const x = (n) => left + (width - left - right) * n / items;
  const y = (n) => height - bottom - (height - bottom - top) * n / codes;
  const line = steps.map(([n, k], i) => `${i === 0 ? `M${x(0)} ${y(0)}` : ""}H${x(n)}V${y(k)}`).join("");
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img",
    "aria-label": `After ${items} items ${steps.at(-1)[1]} of ${codeCount} codes had been used` });
  picture.append(svg("path", { d: `M${left} ${top}V${height - bottom}H${width - right}`, class: "axis" }),
    svg("path", { d: `M${left} ${y(codeCount)}H${width - right}`, class: "limit" }),
    svg("path", { d: line, class: "line" }),
    svg("text", { x: left - 6, y: y(0) + 4, "text-anchor": "end" }, "0"),
    svg("text", { x: left - 6, y: y(codeCount) + 4, "text-anchor": "end" }, codeCount),
    svg("text", { x: x(items), y: height - bottom + 16, "text-anchor": "end" }, items),
    svg("text", { x: (left + width) / 2, y: height - 4, "text-anchor": "middle" }, "items labelled"),
    svg("text", { x: left + 8, y: top + 8 }, "codes used"));
  return make("figure", {}, picture, make("figcaption", {},
    `After ${plural(items, "item")}, ${steps.at(-1)[1]} of ${plural(codeCount, "code")} had been used.`));
}

function items(name, list, value) {
  if (list.length === 0) return null;
  return make("div", {}, make("h3", {}, name), make("ol", {}, list.slice(0, LISTED).map((one) => make("li", {}, `${one.item} `,
    make("span", { class: "soft" }, value(one))))));
}

const part = (name, content) => make("details", { "data-part": name }, make("summary", {}, name), content);

function showDimension(one) {
  const head = ["", "items", "equal", "coefficient", "95% interval", "in words"];
  const main = chief(one);
  return make("section", { "aria-label": `Agreement: ${one.name}`, "data-dimension": one.id },
    make("h2", {}, `Agreement: ${one.name}`),
    make("p", {}, make("strong", { class: "kappa" }, `${NAMES[main]} ${words(one[main])}`),
      ` \u00b7 ${plural(one.items, "item")} with two labels or more, ${percent(one.observed)} of pairs equal`),
    one.warning === "" ? null : make("p", { class: "warning" }, one.warning),
    make("p", { class: "soft" }, Object.keys(NAMES).filter((name) => name !== main)
      .map((name) => `${NAMES[name]} ${words(one[name])}`).join(" \u00b7 ")),
    one.checkpoints.length === 0 ? null : part("By checkpoint",
      tableOf(head, one.checkpoints.map((at) => row(percent(at.share), at)))),
    one.codes.length === 0 ? null : part("By code", tableOf([...head, "given"], one.codes.map((code) =>
      [...row("\u2003".repeat(code.level - 1) + code.name, code), code.given]))),
    one.levels.length < 2 ? null : part("By level of the tree",
      tableOf(head, one.levels.map((level) => row(`level ${level.level}`, level)))),
    one.retests.length === 0 ? null : part("Raters with themselves, on items that came twice",
      tableOf(head, one.retests.map((again) => row(again.rater, again)))),
    one.pairs.length < 2 ? null : part("By pair of raters",
      tableOf(head, one.pairs.map((pair) => row(`${pair.first}, ${pair.second}`, pair)))),
    make("div", { class: "columns" },
      one.saturation.length === 0 ? null : make("div", {}, make("h3", {}, "Saturation"),
        saturation(one.saturation, one.code_count)),
      items("Most disputed", one.disputed, (item) => `${percent(item.disagreement)} of pairs differ`),
      items("Slowest", one.slowest, (item) => `${item.seconds.toFixed(0)} s`)));
}

function showAgreement(list) {
  const name = (one) => `${one.closest("[data-dimension]").dataset.dimension}/${one.dataset.part}`;
  const open = new Set([...document.querySelectorAll("#agreement details[open]")].map(name));
  byId("agreement").replaceChildren(...list.map(showDimension));
  for (const one of document.querySelectorAll("#agreement details")) one.open = open.has(name(one));
}

/* Looking again, now and then. */

async function look() {
  try {
    const said = await get("lead");
    showRaters(said.raters);
    showRounds(said);
    showFinals(said);
    showProposals(said.proposals);
    showAgreement(said.agreement);
    byId("when").textContent = `as of ${clock(Date.now())}`;
  } catch (error) {
    tellError(error);
  }
}

async function act(what) {
  tell("");
  try {
    await what();
  } catch (error) {
    tellError(error);
  }
  await look();
}

byId("again").addEventListener("click", () => act(async () => {}));
try {
  showPages(await get("task"), "lead");
  await look();
  setInterval(() => { if (!document.hidden) look(); }, REFRESH_MS);
} catch (error) {
  tellError(error);
}
