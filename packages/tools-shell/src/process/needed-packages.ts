// As in PEP 723, but one line after the other: a text that is made to be read slowly is not.
const begin = /^# \/\/\/ script$/u;
const end = /^# \/\/\/$/u;
const line = /^#(?: (.*))?$/u;
const longest = 20_000;

/** The packages that a Python script says it needs (PEP 723, `dependencies` of its block `script`), as they are written there. */
export function neededPackages(beginning: Uint8Array): readonly string[] {
  const lines = new TextDecoder().decode(beginning).split(/\r?\n/u);
  const from = lines.findIndex((text) => begin.test(text));
  if (from === -1) return [];
  const block: string[] = [];
  for (const text of lines.slice(from + 1)) {
    if (end.test(text)) return packagesIn(block.join('\n').slice(0, longest));
    const content = line.exec(text);
    if (content === null) return [];
    block.push(content[1] ?? '');
  }
  return [];
}

/** The strings of the list, of which a bracket within quotes is a part. */
function packagesIn(block: string): readonly string[] {
  const list = /^dependencies\s{0,20}=\s{0,20}\[/mu.exec(block);
  if (list === null) return [];
  const found: string[] = [];
  for (const [token] of block.slice(list.index + list[0].length).matchAll(/"[^"\n]*"|'[^'\n]*'|\]|#[^\n]*/gu)) {
    if (token === ']') break;
    if (!token.startsWith('#')) found.push(token.slice(1, -1));
  }
  return found;
}
