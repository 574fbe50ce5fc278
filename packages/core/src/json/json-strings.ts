const backslash = 0x5c;

/**
 * Where the string of a JSON text ends that begins at `start`: the position of its closing quote, or the length of a
 * text that lacks it. Most of a document is in its strings, and the engine looks for their ends faster than a loop does.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
