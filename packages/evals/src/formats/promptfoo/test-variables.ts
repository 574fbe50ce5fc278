import type { JsonValue } from '@skillpack/core';
import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import { readForeignFile } from '../import-files.js';
import { safePath } from '../safe-path.js';
import { renderTemplate, templateNote, type Variables } from './render-template.js';
import type { PromptTest } from './tests-of.js';

const mostWays = 1_000;

/** The values of the variables of a test: one set for each choice from lists. */
export async function testVariables(test: PromptTest, context: ImportContext): Promise<readonly Variables[]> {
  const whole = test.layers.some((layer) => layer.field('options')?.field('disableVarExpansion')?.take() === true);
  for (const layer of test.layers) {
    const vars = layer.field('vars');
    if (vars !== undefined && vars.object === undefined)
      context.notes.drop(vars, 'Variables in other files are not read.');
  }
  let ways: readonly (readonly (readonly [string, JsonValue])[])[] = [[]];
  for (const [name, value] of test.variables) {
    const choices = await valuesOf(value, context, whole);
    if (ways.length * choices.length > mostWays)
      throw context.invalid(`a test comes to more than ${mostWays} cases by its variables`);
    ways = ways.flatMap((way) => choices.map((choice) => [...way, [name, choice] as const]));
  }
  return ways.map((way) => filled(test, new Map(way), context));
}

/** Variables may stand in the values of others. */
function filled(test: PromptTest, variables: Variables, { notes }: ImportContext): Variables {
  const values = [...variables].map(([name, value]): readonly [string, JsonValue] => {
    if (typeof value !== 'string') return [name, value];
    const { text, whole } = renderTemplate(value, variables);
    const at = test.variables.get(name);
    if (!whole && at !== undefined) notes.change(at, templateNote);
    return [name, text];
  });
  return new Map(values);
}

async function valuesOf(value: ForeignValue, context: ImportContext, whole: boolean): Promise<readonly JsonValue[]> {
  if (value.list && !whole && value.items().length > 0) {
    const all: JsonValue[] = [];
    for (const item of value.items()) all.push(await valueOf(item, context));
    return all;
  }
  return [await valueOf(value, context)];
}

async function valueOf(value: ForeignValue, context: ImportContext): Promise<JsonValue> {
  if (typeof value.value !== 'string' || !value.value.startsWith('file://')) return value.take();
  const path = safePath(value.value.slice('file://'.length));
  const isText = path !== undefined && /\.(?:txt|md|json|csv|html|xml|ya?ml)$/iu.test(path);
  const bytes = isText ? await readForeignFile(path, context) : 'is none that is read here';
  if (typeof bytes !== 'string') {
    value.take();
    return new TextDecoder().decode(bytes);
  }
  context.notes.change(value, `The file of the variable ${bytes}: its name stands for it.`);
  return value.value;
}
