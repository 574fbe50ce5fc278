import { isObject } from '../foreign-value.js';
import type { JsonValue } from '@skillpack/core';

/** The values of the variables of a test. */
export type Variables = ReadonlyMap<string, JsonValue>;

/** A template with its variables filled in. */
export interface RenderedTemplate {
  readonly text: string;
  /** Whether nothing is left in it that a template engine would act on. */
  readonly whole: boolean;
  /** Names of the variables that stand in it. */
  readonly used: readonly string[];
}

/** What is told of a template of which something is left. */
export const templateNote =
  'What a template does besides filling in variables is not done here, and stands in the text.';

const opener = /\{%-?\s*raw\s*-?%\}/gu;
const closer = /\{%-?\s*endraw\s*-?%\}/gu;
const variable = /\{\{-?\s*(?<path>[\w.]+)\s*(?:\|\s*(?:safe|trim|string)\s*)?-?\}\}/gu;

/** Fills in variables, as `{{name}}`; what stands between `raw` and `endraw` is left as it is. Nothing else is acted on. */
export function renderTemplate(template: string, variables: Variables): RenderedTemplate {
  const used = new Set<string>();
  let whole = true;
  let text = '';
  const fill = (part: string): void => {
    const filled = part.replaceAll(variable, (written, path: string) => {
      const value = valueAt(path, variables);
      if (value === undefined) return written;
      used.add(path.split('.')[0] ?? path);
      return textOf(value);
    });
    whole &&= !/\{[{%#]/u.test(
      part.replaceAll(variable, (written, path: string) => (valueAt(path, variables) === undefined ? written : '')),
    );
    text += filled;
  };
  let at = 0;
  for (const found of template.matchAll(opener)) {
    if (found.index < at) continue;
    closer.lastIndex = found.index;
    const end = closer.exec(template);
    if (end === null) break;
    fill(template.slice(at, found.index));
    text += template.slice(found.index + found[0].length, end.index);
    at = end.index + end[0].length;
  }
  fill(template.slice(at));
  return { text, whole, used: [...used] };
}

/** A value as it stands in a text. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valueAt(path: string, variables: Variables): JsonValue | undefined {
  const [first = '', ...rest] = path.split('.');
  let value = variables.get(first);
  for (const name of rest) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
