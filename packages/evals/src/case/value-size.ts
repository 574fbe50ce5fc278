import { maxSuiteLength } from './suite-limits.js';

const maxLevels = 64;
const maxValues = 200_000;

/**
 * What keeps a value of YAML from being written as JSON: through aliases a short text says a long one.
 *
 * @returns `undefined` for one of a size that can be read.
 */
export function sizeProblem(value: unknown): string | undefined {
  const left = { values: maxValues, length: maxSuiteLength };
  const enter = (inner: unknown, level: number): string | undefined => {
    left.values -= 1;
    if (typeof inner === 'string') left.length -= inner.length;
    if (left.values < 0) return `it holds more than ${maxValues} values`;
    if (left.length < 0) return `its texts have more than ${maxSuiteLength} characters`;
    if (typeof inner !== 'object' || inner === null) return undefined;
    if (level >= maxLevels) return `it is nested deeper than ${maxLevels} levels`;
    for (const [key, child] of Object.entries(inner)) {
      left.length -= key.length;
      const problem = enter(child, level + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  return enter(value, 0);
}
