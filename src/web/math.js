/* Mathematics in posts, typeset by KaTeX, which comes from this server and only when there is something to set.
 * A formula is an element that still holds its TeX as text, so that searching, places and copies go by what was
 * written; what is set stands in a shadow tree beside it. TeX is not to be trusted: nothing in it may lead
 * elsewhere, grow without end or cover what is around it. */
import { make } from "./page.js";

/* Sites of Stack Exchange whose posts may have formulas; on some a dollar is mostly money: \$...\$. */
const SITES = new Set(("ai astronomy aviation bioinformatics biology chemistry computergraphics crypto cs cs50 cseducators cstheory " +
  "datascience dsp earthscience economics engineering hsm iot langdev linguistics math matheducators mathematica mattermodeling " +
  "mechanics monero networkengineering or philosophy physics proofassistants psychology puzzling quant quantumcomputing " +
  "retrocomputing robotics scicomp sound space sports stats worldbuilding").split(" "));
const MONEY = new Set("boardgames codegolf codereview electronics gamedev ham rpg".split(" "));

const LONGEST = 5000, MOST = 500, TIME_MS = 1500; // of a formula; formulas of a post, and for all of them
const refuse = () => { throw new Error("not trusted"); }; // so that it stays as it is written
const OPTIONS = { throwOnError: true, trust: refuse, strict: "ignore", maxSize: 20, maxExpand: 500 };

const DISPLAYED = String.raw`\$\$(?<block>[\s\S]+?)\$\$|\\\[(?<square>[\s\S]+?)\\\]|(?<env>\\begin\{(?<name>[a-zA-Z]+\*?)\}[\s\S]+?\\end\{\k<name>\})`;
const ROUND = String.raw`\\\((?<round>[\s\S]+?)\\\)`;
const STYLES = {
  dollar: String.raw`(?<!\\)\$(?!\d[\d.,]*\s+[a-z]{3})(?<inline>(?:[^$\\]|\\[\s\S])+?)\$(?!\d)`, // "$1000 is" begins none, nor ends it
  strict: String.raw`(?<![\\\w$])\$(?<inline>[^\s$](?:(?:[^$\\]|\\[\s\S])*?[^\s$\\])?)\$(?![\w$])`, // no blanks inside, no words outside
  money: String.raw`\\\$(?<inline>[\s\S]+?)\\\$`,
};

/* How formulas are written where the item is from; null: not at all. */
export function mathStyle(setting, link) {
  const host = URL.canParse(link) ? new URL(link).hostname : "", site = host.replace(/(\.meta)?\.stackexchange\.com$/, "");
  if (setting === "no") return null;
  if (site !== host && MONEY.has(site)) return "money";
  if ((site !== host && SITES.has(site)) || /^(meta\.)?mathoverflow\.net$/.test(host)) return "dollar";
  return setting === "yes" || host === "github.com" ? "strict" : null;
}

/* {at, end, tex, display} of a text, in their order. */
export function formulas(text, style) {
  return [...text.matchAll(new RegExp(`${DISPLAYED}|${ROUND}|${STYLES[style]}`, "g"))].map((match) => {
    const { block, square, env, round, inline } = match.groups;
    return { at: match.index, end: match.index + match[0].length, tex: block ?? square ?? env ?? round ?? inline,
      display: round === undefined && inline === undefined };
  }).filter((one) => one.tex.length <= LONGEST);
}

let loaded = null;

/* The library, and its style: in the page for its fonts, in a sheet for the shadow trees. */
function load() {
  loaded ??= (async () => {
    document.head.append(make("link", { rel: "stylesheet", href: "../../web/katex.min.css" }));
    const [css] = await Promise.all([fetch("../../web/katex.min.css").then((answer) => answer.text()), import("./katex.min.js")]);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return { katex: globalThis.katex, sheet };
  })();
  loaded.catch(() => { loaded = null; }); // the next item tries again
  return loaded;
}

const isProse = (node) => node.parentElement.closest("pre, code, kbd, .math, .diff, summary, .tags, .fields") === null;

function textsOf(place) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) if (/[$\\]/.test(walker.currentNode.data) && isProse(walker.currentNode)) found.push(walker.currentNode);
  return found;
}

/* Whether it could be set; if not it stays as it was written. */
function set({ katex, sheet }, node, { tex, display }) {
  const scrolls = { class: "math math-block", tabindex: "0", role: "group", "aria-label": "Formula" }; // with keys, too
  const host = make("span", { ...(display ? scrolls : { class: "math" }), "data-source": node.data });
  const made = make("span");
  try {
    katex.render(tex, made, { ...OPTIONS, displayMode: display });
  } catch {
    return false;
  }
  const tree = host.attachShadow({ mode: "open" });
  tree.adoptedStyleSheets = [sheet];
  tree.append(made);
  node.replaceWith(host);
  host.append(node);
  return true;
}

/* All formulas of what is on show; resolves when that is done. */
export async function typeset(place, style) {
  const work = style === null ? [] : textsOf(place).map((node) => [node, formulas(node.data, style)]).filter(([, all]) => all.length > 0);
  if (work.length === 0) return;
  const library = await load(), end = performance.now() + TIME_MS;
  let left = MOST;
  for (const [node, all] of work)
    for (const one of all.reverse()) { // from behind, so that places stay right
      if (left-- <= 0 || performance.now() > end) return;
      node.splitText(one.end);
      set(library, node.splitText(one.at), one);
    }
}
