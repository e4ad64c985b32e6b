/* Colours for code, by tables: what begins a comment, a text or a number in a language, and its words. The
 * language is the one that the post says, else one that its tags name, else none in particular. */
const LONGEST = 30000; // characters; longer code stays plain

const C_WORDS = "break case catch char class const continue default do double else enum extends false final finally float for if import int interface long new null package private protected public return short static super switch this throw throws true try void while";
const QUOTES = [String.raw`"(?:[^"\\\n]|\\.)*"`, String.raw`'(?:[^'\\\n]|\\.)*'`];
const END = String.raw`(?![\s\S])`; // what is not closed goes on to the end
const TRIPLE = [String.raw`"""[\s\S]*?(?:"""|${END})`, String.raw`'''[\s\S]*?(?:'''|${END})`];
const SLASHES = ["//[^\\n]*", String.raw`/\*[\s\S]*?(?:\*/|${END})`];
const HASH = ["#[^\\n]*"];
const NUMBER = String.raw`\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-zA-Z]*\b`;

/* comments, texts: patterns; words: by blanks; any_case: of words; more: other patterns, by the name of their colour */
const LANGUAGES = {
  python: { comments: HASH, texts: [...TRIPLE, ...QUOTES], words: "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
    more: { name: [String.raw`^[ \t]*@[\w.]+`] } },
  js: { comments: SLASHES, texts: [...QUOTES, String.raw`${"`"}(?:[^${"`"}\\]|\\.)*${"`"}`], words: `${C_WORDS} abstract any as async await boolean debugger declare delete export from function get implements in instanceof keyof let namespace never number of readonly set string symbol type typeof undefined unknown var yield` },
  java: { comments: SLASHES, texts: [...TRIPLE.slice(0, 1), ...QUOTES], words: `${C_WORDS} abstract assert boolean byte fun implements instanceof native object override record sealed synchronized transient val var volatile when yield`,
    more: { name: [String.raw`@[A-Za-z]\w*`] } },
  c: { comments: SLASHES, texts: QUOTES, words: `${C_WORDS} alignas alignof as async auto await base bool co_await co_return co_yield constexpr decltype decimal delegate delete explicit extern foreach friend get goto in inline internal is let lock mutable nameof namespace noexcept nullptr object operator out override params readonly ref register sealed set signed sizeof string struct template typedef typename union unsigned using value var virtual volatile where yield`,
    more: { name: [String.raw`^[ \t]*#[ \t]*\w+`] } },
  go: { comments: SLASHES, texts: [...QUOTES, "`[^`]*`"], words: "bool break byte case chan const continue default defer else error fallthrough false float32 float64 for func go goto if import int int32 int64 interface iota map nil package range return rune select string struct switch true type uint uint8 var" },
  rust: { comments: SLASHES, texts: [QUOTES[0], String.raw`'(?:[^'\\\n]|\\[^\n]{1,8})'`], words: "as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i32 i64 if impl in let loop match mod move mut pub ref return self Self static str struct super trait true type u8 u32 u64 unsafe use usize where while",
    more: { name: [String.raw`#!?\[[^\]\n]*\]`, String.raw`\b[a-z_]\w*!`] } },
  r: { comments: HASH, texts: QUOTES, words: "break else FALSE for function if in Inf library NA NaN next NULL repeat require return TRUE while", more: { name: ["<-|->|%[^%\\s]+%"] } },
  sql: { comments: ["--[^\\n]*", SLASHES[1]], texts: [String.raw`'(?:[^']|'')*'`], any_case: true, words: "add all alter and any as asc avg begin between by case check column commit constraint count create cross cursor database default delete desc distinct drop else end exec exists foreign from full function group having if in index inner insert int integer into is join key left like limit max min not null on or order outer over partition primary procedure references returning right rollback select set sum table text then top trigger truncate union unique update values varchar view when where with" },
  json: { comments: [], texts: [], words: "true false null", more: { name: [String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`], text: [QUOTES[0]] } },
  yaml: { comments: [String.raw`(?:^|(?<=\s))#[^\n]*`], texts: QUOTES, words: "true false null yes no on off", more: { name: [String.raw`^[ \t]*(?:- +)*[\w./$-]+(?=:(?:\s|$))`] } },
  shell: { comments: [String.raw`(?:^|(?<=\s))#[^\n]*`], texts: [String.raw`"(?:[^"\\]|\\.)*"`, "'[^']*'"], words: "apt-get case cat cd chmod conda cp curl do docker done echo elif else esac exit export fi for function git grep if in local ls mkdir mv npm pip pip3 python python3 return rm sed set source sudo then until wget while",
    more: { name: [String.raw`\$(?:\w+|\{[^}\n]*\}|[@#?*!$-])`, String.raw`(?:^|(?<=\s))--?[A-Za-z][\w-]*`] } },
  html: { comments: [String.raw`<!--[\s\S]*?(?:-->|${END})`], texts: [String.raw`"[^"<\n]*"`, String.raw`'[^'<\n]*'`], words: "",
    more: { word: [String.raw`</?[A-Za-z][\w:.-]*|/?>`], name: [String.raw`\b[\w:.-]+(?==)`] } },
  diff: { comments: ["^(?:diff|index|---|\\+\\+\\+) [^\\n]*"], texts: ["^\\+[^\\n]*"], words: "", numbers: false,
    more: { gone: ["^-[^\\n]*"], word: ["^@@[^\\n]*"] } },
  general: { comments: [...HASH, ...SLASHES], texts: QUOTES, words: `${C_WORDS} and as assert async await bool def del elif except False from func function in is lambda let None not or pass raise self struct True var with yield` },
};

/* Other names, and what tags say. */
const NAMES = {
  python: "py python2 python3 ipython numpy pandas tensorflow keras pytorch scikit-learn matplotlib django flask",
  js: "javascript jsx ts typescript tsx node node.js nodejs reactjs vue.js angular jquery tensorflow.js",
  java: "kotlin scala android spring groovy", c: "cpp c++ cc h hpp cs csharp c# objective-c swift dart cuda opencl arduino .net asp.net unity3d",
  go: "golang", rust: "rs", r: "rstudio ggplot2 dplyr", sql: "mysql postgresql sqlite tsql plsql sql-server oracle", json: "jsonc json5", yaml: "yml",
  shell: "sh bash zsh console shell-session terminal dockerfile", html: "xml xhtml svg xaml", diff: "patch",
};
const BY_NAME = new Map(Object.keys(LANGUAGES).flatMap((language) =>
  [language, ...(NAMES[language] ?? "").split(" ")].filter((name) => name !== "").map((name) => [name, language])));
const PLAIN = new Set(["none", "text", "plain", "plaintext", "txt", "output", "log"]);
const MADE = new Map(); // language: pattern

function pattern(language) {
  if (!MADE.has(language)) {
    const { comments, texts, words, any_case, numbers, more } = LANGUAGES[language];
    const parts = [["comment", comments], ...Object.entries(more ?? {}), ["text", texts],
      ["number", numbers === false ? [] : [NUMBER]], ["word", words === "" ? [] : [`\\b(?:${words.split(" ").join("|")})\\b`]]];
    const groups = parts.filter(([, all]) => all.length > 0).map(([name, all], i) => [`${name}${i}`, all.join("|")]);
    MADE.set(language, new RegExp(groups.map(([name, all]) => `(?<${name}>${all})`).join("|"), any_case ? "gmi" : "gm"));
  }
  return MADE.get(language);
}

/* "python-3.x" is python, too. */
const known = (name) => BY_NAME.get(name) ?? BY_NAME.get(name.replace(/-?[\d.]+x?$/, "")) ?? BY_NAME.get(name.split("-")[0]);

/* Of a block of code; null: it is said to be none. */
export function languageOf(element, tags) {
  const classes = [...element.classList, ...(element.querySelector("code")?.classList ?? [])];
  const said = classes.find((name) => name.startsWith("lang-"))?.slice(5);
  if (PLAIN.has(said)) return null;
  const own = said === undefined ? undefined : known(said);
  return own ?? tags.map(known).find((name) => name !== undefined) ?? "general";
}

export function colour(element, tags = []) {
  const source = element.textContent, language = languageOf(element, tags);
  if (source.length > LONGEST || language === null) return;
  const code = document.createElement("code");
  let done = 0;
  for (const match of source.matchAll(pattern(language))) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    const part = document.createElement("span");
    if (match[0] === "") continue;
    part.className = "code-" + kind.replace(/\d+$/, "");
    part.textContent = match[0];
    code.append(source.slice(done, match.index), part);
    done = match.index + match[0].length;
  }
  code.append(source.slice(done));
  element.replaceChildren(code);
}
