/**
 * A key that stands twice in one object of a JSON text: whoever reads it keeps the last one, and what is expected first
 * counts for nothing.
 *
 * @param json JSON, as it is once it was read.
 */
export function repeatedKey(json: string): string | undefined {
  // Of each object and list that is open, innermost last, the keys so far.
  const open: Set<string>[] = [];
  const marks = /["{}[\]]/gu;
  for (let mark = marks.exec(json); mark !== null; mark = marks.exec(json)) {
    if (mark[0] === '{' || mark[0] === '[') open.push(new Set());
    else if (mark[0] !== '"') open.pop();
    else {
      const end = endOfText(json, mark.index);
      marks.lastIndex = end;
      if (!isBeforeColon(json, end)) continue;
      const key = String(JSON.parse(json.slice(mark.index, end)));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
  }
  return undefined;
}

/** Behind the quote that closes the one at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charAt(before) === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return json.length;
}

function isBeforeColon(json: string, from: number): boolean {
  let at = from;
  while (at < json.length && ' \t\r\n'.includes(json.charAt(at))) at += 1;
  return json.charAt(at) === ':';
}
