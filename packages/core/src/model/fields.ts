/** Fields of an object that came from a model. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; `undefined` for anything else. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Fields; // JSON has no other objects
}

/** Whether a field says something: null stands for one that is left out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether two values of JSON are written the same, keys in the same order. */
export function sameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
