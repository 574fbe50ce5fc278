const weightOfOne = 8;

/**
 * About how many characters a value of JSON has, however deeply it is nested.
 *
 * @param most where it has more, nothing further is looked at.
 */
export function weightOf(value: unknown, most: number): number {
  const waiting: unknown[] = [value];
  let weight = 0;
  while (waiting.length > 0 && weight <= most) {
    const one = waiting.pop();
    weight += weightOfOne + (typeof one === 'string' ? one.length : 0);
    if (typeof one !== 'object' || one === null) continue;
    for (const [key, inner] of Object.entries(one)) {
      weight += Array.isArray(one) ? 0 : key.length;
      waiting.push(inner);
    }
  }
  return weight;
}
