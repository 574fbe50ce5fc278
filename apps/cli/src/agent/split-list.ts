/**
 * The parts of a list with commas; one between parentheses belongs to its part: `run_script(pdf),http_request(domain:*)`.
 * Spaces around a part do not count.
 */
export function splitList(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at];
    if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  return [...parts, list.slice(begin).trim()];
}
