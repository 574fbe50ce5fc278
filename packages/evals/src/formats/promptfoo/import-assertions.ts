import { quoted } from '@skillpack/core';
import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import { actionAssertions } from './action-assertions.js';
import type { Contribution } from './contribution.js';
import { judgedAssertions } from './judged-assertions.js';
import { outputAssertions } from './output-assertions.js';
import type { Variables } from './render-template.js';
import type { AssertionImporter } from './written-assertion.js';

const importers: Readonly<Partial<Record<string, AssertionImporter>>> = {
  ...outputAssertions,
  ...actionAssertions,
  ...judgedAssertions,
};

/** What assertions are read with. */
export interface AssertionOptions {
  readonly variables: Variables;
  /** The assertions that others refer to by `$ref`. */
  readonly templates: ForeignValue | undefined;
}

/** What a list of assertions adds to a case; sets are flat. What there is no check for is noted. */
export function importAssertions(
  list: ForeignValue | undefined,
  context: ImportContext,
  options: AssertionOptions,
): readonly Contribution[] {
  return (list?.items() ?? []).flatMap((item) => importOne(item, context, options));
}

function importOne(item: ForeignValue, context: ImportContext, options: AssertionOptions): readonly Contribution[] {
  const reference = item.field('$ref')?.text();
  if (reference !== undefined) return importReferred(reference, item, { context, options });
  const type = item.field('type');
  if (typeof type?.value !== 'string') {
    context.notes.drop(item, 'An assertion without a type checks nothing.');
    return [];
  }
  const weight = item.field('weight');
  if (weight?.value === 0) {
    context.notes.drop(item, 'An assertion of the weight 0 decides nothing.');
    return [];
  }
  if (type.value === 'assert-set') return importSet(item, context, options);
  const negated = type.value.startsWith('not-');
  const name = negated ? type.value.slice('not-'.length) : type.value;
  const importer = Object.hasOwn(importers, name) ? importers[name] : undefined;
  if (importer === undefined) {
    context.notes.drop(item, `There is no check like ${quoted(type.value, 60)} here.`);
    return [];
  }
  const made = importer(
    { item, type: name, negated, value: item.field('value'), variables: options.variables },
    context,
  );
  if (made === undefined) {
    context.notes.drop(item, `What ${quoted(type.value, 60)} is given cannot be checked here.`);
    return [];
  }
  type.take();
  return made;
}

/** A set of assertions. All of them have to hold here, but for one text of several, where one is enough. */
function importSet(item: ForeignValue, context: ImportContext, options: AssertionOptions): readonly Contribution[] {
  item.field('type')?.take();
  const list = item.field('assert');
  const parts = importAssertions(list, context, options);
  const threshold = item.field('threshold');
  const share = threshold?.number() ?? 1;
  if (threshold === undefined || share >= 1) return parts;
  const any =
    share > 0 && share * parts.length <= 1 && parts.length === list?.items().length ? anyText(parts) : undefined;
  if (any !== undefined) return [any];
  context.notes.change(threshold, 'All assertions of the set have to hold here, not only a share of them.');
  return parts;
}

/** One check for several that each look for a text; `undefined` where that is not what they all do. */
function anyText(parts: readonly Contribution[]): Contribution | undefined {
  const checks = parts.map((part) =>
    part.kind === 'output' && part.check.kind === 'contains' ? part.check : undefined,
  );
  const [first] = checks;
  if (first === undefined || first.negated) return undefined;
  const same = checks.every(
    (check) => check !== undefined && check.texts.length === 1 && !check.negated && check.caseless === first.caseless,
  );
  return same
    ? { kind: 'output', check: { ...first, texts: checks.flatMap((check) => check?.texts ?? []), mode: 'any' } }
    : undefined;
}

interface Referring {
  readonly context: ImportContext;
  readonly options: AssertionOptions;
}

function importReferred(
  reference: string,
  item: ForeignValue,
  { context, options }: Referring,
): readonly Contribution[] {
  const name = /^#\/assertionTemplates\/(?<name>[^/]+)$/u.exec(reference)?.groups?.['name'];
  const template = name === undefined ? undefined : options.templates?.field(name);
  // A template that refers to another one could lead in a circle.
  if (template === undefined || template.field('$ref') !== undefined) {
    context.notes.drop(item, `What the assertion refers to by ${quoted(reference, 80)} is not in the file.`);
    return [];
  }
  return importOne(template, context, { ...options, templates: undefined });
}
