import type { CaseProblem } from './case-place.js';

const maxLevels = 64;

/** What is wrong with the texts of a value, wherever they stand in it: half a character, or a key that cannot be one. */
export function* textProblems(value: unknown, path: string, level = 0): Iterable<CaseProblem> {
  if (typeof value === 'string' && !value.isWellFormed()) {
    yield { path, message: 'expected whole characters, found half of a pair (a lone surrogate)' };
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    yield { path, message: `expected a number, found ${value}` };
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if (level === maxLevels) {
    yield { path, message: `it is nested deeper than ${maxLevels} levels` };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') yield { path, message: 'expected no field “__proto__”' };
    else if (!key.isWellFormed()) yield { path, message: 'expected fields of whole characters' };
    else yield* textProblems(inner, `${path === '' ? '' : `${path}.`}${key.slice(0, 100)}`, level + 1);
  }
}
