/* Light colours for code of any language: comments, texts, numbers, common words. */
const LONGEST = 30000; // characters; longer code stays plain
const TOKEN = new RegExp([
  String.raw`(?<comment>(?:#|//)[^\n]*|/\*[\s\S]*?\*/)`,
  String.raw`(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`,
  String.raw`(?<number>\b\d[\w.]*)`,
  String.raw`(?<word>\b(?:and|as|assert|async|await|bool|break|case|catch|class|const|continue|def|del|do|elif|else|except|false|False|final|finally|float|for|from|func|function|if|import|in|int|is|lambda|let|new|None|not|null|or|pass|private|public|raise|return|self|static|struct|switch|this|throw|true|True|try|var|void|while|with|yield)\b)`,
].join("|"), "g");

export function colour(element) {
  const source = element.textContent;
  if (source.length > LONGEST) return;
  const code = document.createElement("code");
  let done = 0;
  for (const match of source.matchAll(TOKEN)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    const part = document.createElement("span");
    part.className = "code-" + kind;
    part.textContent = match[0];
    code.append(source.slice(done, match.index), part);
    done = match.index + match[0].length;
  }
  code.append(source.slice(done));
  element.replaceChildren(code);
}
