import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';

/** A test with everything that counts in it. */
export interface PromptTest {
  /** The test itself. */
  readonly at: ForeignValue;
  readonly scenario: ForeignValue | undefined;
  /** What its fields come from: what all tests share first, the test last. */
  readonly layers: readonly ForeignValue[];
  /** Its variables by name: the last layer that has one counts. */
  readonly variables: ReadonlyMap<string, ForeignValue>;
}

/** The tests of a configuration, or of a list; those that stand in other files are noted. */
export function testsOf(config: ForeignValue, context: ImportContext): readonly PromptTest[] {
  const shared = config.field('defaultTest');
  if (typeof shared?.value === 'string')
    context.notes.drop(shared, 'What all tests share stands in another file, which is not read.');
  const common = shared?.object === undefined ? [] : [shared];
  const tests = config.list ? config : config.field('tests');
  const single = ofList(tests, context).map((at) => testOf(at, common));
  const scenarios = (config.field('scenarios')?.items() ?? []).flatMap((scenario) => {
    if (scenario.object === undefined) return elsewhere(scenario, context);
    const data = scenario.field('config')?.items() ?? [];
    return ofList(scenario.field('tests'), context).flatMap((at) =>
      data.length === 0 ? [testOf(at, common, scenario)] : data.map((each) => testOf(at, [...common, each], scenario)),
    );
  });
  return [...single, ...scenarios];
}

function ofList(tests: ForeignValue | undefined, context: ImportContext): readonly ForeignValue[] {
  const items = tests?.list === true ? tests.items() : tests === undefined ? [] : [tests];
  return items.flatMap((item) => {
    if (item.object === undefined || (item.has('path') && !item.has('vars'))) return elsewhere(item, context);
    return [item];
  });
}

function elsewhere(item: ForeignValue, { notes }: ImportContext): never[] {
  notes.drop(item, 'Tests in other files are not read with this one: import each of those files.');
  return [];
}

function testOf(at: ForeignValue, common: readonly ForeignValue[], scenario?: ForeignValue): PromptTest {
  const layers = [...common, at];
  const variables = layers.flatMap((layer) => layer.field('vars')?.fields() ?? []);
  return { at, scenario, layers, variables: new Map(variables) };
}
