/* Search in the handbook without a server: search.js has brought what there is to find. */
"use strict";

const SHOWN = 20, ALL_OF = 3, MOST = 0.6;

// Scripts that put no blanks between words: each two letters that touch stand for a word.
const UNSPACED = /([\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30FC\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}]+)/u;

function pairsOf(clause) {
  const letters = [...clause];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, i) => letters[i] + letter);
}

/* Without case and accents, however they were typed. */
function folded(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFKC")
    .toLowerCase().replaceAll("\u00df", "ss");
}

function wordsOf(text) {
  const words = folded(text).match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  // What split() captures stands at odd places.
  return words.flatMap((word) => !UNSPACED.test(word) ? word
    : word.split(UNSPACED).flatMap((run, i) => i % 2 === 1 ? pairsOf(run) : run === "" ? [] : run));
}

const entries = (window.handbook ?? []).map(([file, title, below, text]) => ({
  file, title, below, heads: wordsOf(title + " " + below), words: new Set(wordsOf(text)),
}));

/* How well an entry answers a word: as it stands or as a beginning, in the title or below. */
function weigh(entry, word) {
  if (entry.heads.includes(word)) return 4;
  if (entry.heads.some((other) => other.startsWith(word))) return 3;
  if (entry.words.has(word)) return 2;
  for (const other of entry.words) if (other.startsWith(word)) return 1;
  return 0;
}

/* A few words must all be there; of a message that was pasted, most. */
function find(text) {
  const words = [...new Set(wordsOf(text))];
  const least = words.length <= ALL_OF ? words.length : Math.ceil(words.length * MOST);
  const found = [];
  for (const entry of entries) {
    const weights = words.map((word) => weigh(entry, word));
    if (words.length > 0 && weights.filter((weight) => weight > 0).length >= least)
      found.push({ entry, weight: weights.reduce((a, b) => a + b) });
  }
  // Sorting keeps the order of the book among equals.
  return found.sort((a, b) => b.weight - a.weight).map((one) => one.entry);
}

const place = document.getElementById("search");
if (place !== null) {
  const input = document.createElement("input"), list = document.createElement("ol");
  input.type = "search";
  input.className = "search";
  input.placeholder = "search: words, a call, an error message";
  input.setAttribute("aria-label", "search the handbook");
  list.setAttribute("aria-live", "polite");
  input.addEventListener("input", () => {
    const found = find(input.value);
    list.replaceChildren(...found.slice(0, SHOWN).map((entry) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = place.dataset.root + entry.file;
      link.textContent = entry.title;
      item.append(link, entry.below === "" ? "" : ` in ${entry.below}`);
      return item;
    }));
    if (found.length === 0 && wordsOf(input.value).length > 0) {
      const item = document.createElement("li");
      item.className = "nothing";
      item.textContent = "nothing found";
      list.append(item);
    }
  });
  place.append(input, list);
}
