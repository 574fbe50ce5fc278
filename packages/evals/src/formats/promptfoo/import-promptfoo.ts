import type { JsonValue } from '@skillpack/core';
import type { EvalCase } from '../../case/eval-case.js';
import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import { finishCase } from '../finish-case.js';
import type { SuiteParts } from '../suite-parts.js';
import { contributed } from './contribution.js';
import { importAssertions } from './import-assertions.js';
import { promptTemplates, type PromptTemplate } from './prompt-templates.js';
import { renderTemplate, templateNote, textOf, type Variables } from './render-template.js';
import { testsOf, type PromptTest } from './tests-of.js';
import { testVariables } from './test-variables.js';

const inputNames = ['prompt', 'query', 'input', 'question', 'message', 'request', 'task', 'user_input', 'user', 'text'];
const mostCases = 10_000;

/** Tests of promptfoo: each with each of its prompts and values of variables is a case. */
export async function importPromptfoo(root: ForeignValue, context: ImportContext): Promise<SuiteParts> {
  const config = root.has('evalId') ? (root.field('config') ?? root) : root;
  const prompts = await promptTemplates(config.field('prompts'), context);
  const templates = config.field('assertionTemplates');
  const runs = config.field('evaluateOptions')?.field('repeat')?.number();
  const cases: EvalCase[] = [];
  for (const test of testsOf(config, context)) {
    for (const variables of await testVariables(test, context)) {
      for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
        const made = importTest(test, context, { variables, prompt, templates, runs });
        if (made !== undefined) cases.push(made);
        if (cases.length > mostCases) throw context.invalid(`it comes to more than ${mostCases} cases`);
      }
    }
  }
  const wanted = cases.flatMap(({ expected: { skills } }) => skills?.allOf ?? []);
  const own = context.subjectIfAny(undefined);
  return { skills: [...new Set(own === undefined ? wanted : [own])], cases };
}

interface TestRun {
  readonly variables: Variables;
  readonly prompt: PromptTemplate | undefined;
  readonly templates: ForeignValue | undefined;
  readonly runs: number | undefined;
}

function importTest(
  test: PromptTest,
  context: ImportContext,
  { variables, prompt, templates, runs }: TestRun,
): EvalCase | undefined {
  const bare = prompt === undefined ? bareInput(variables) : rendered(prompt, variables, context);
  const said = bare === undefined ? undefined : { ...bare, lines: between(test, bare.lines) };
  if (said === undefined || said.lines.every((line) => line.trim() === '')) {
    context.notes.drop(test.at, 'A test without a prompt, and without a variable that could be one, is no case.');
    return undefined;
  }
  const title = test.at.field('description')?.text() ?? test.scenario?.field('description')?.text();
  const written = test.at.field('metadata')?.field('id');
  const id =
    (written === undefined ? undefined : context.ids.given(written)) ?? context.ids.made(title ?? said.lines.join(' '));
  context.notes.caseAt(test.at, id);
  for (const [name, value] of test.variables) {
    if (!said.used.includes(name))
      context.notes.change(value, 'A variable that is not in the prompt counts only in assertions.');
  }
  const parts = test.layers.flatMap((layer) =>
    importAssertions(layer.field('assert'), context, { variables, templates }),
  );
  const { skills, actions, output, limits } = contributed(parts);
  const metadata = test.layers.map((layer) => layer.field('metadata'));
  const tags = metadata.flatMap((each) => each?.field('tags')?.texts() ?? []);
  const threshold = test.at.field('threshold');
  if (threshold !== undefined)
    context.notes.change(threshold, 'All assertions have to hold here, not only a share of them.');
  const repeat = test.layers.flatMap((layer) => layer.field('options')?.field('repeat')?.number() ?? []).at(-1) ?? runs;
  const trials = repeat !== undefined && Number.isInteger(repeat) && repeat > 0 ? repeat : undefined;
  return finishCase(test.at, context, {
    id,
    kind: 'task',
    title,
    tags,
    lines: said.lines,
    skills,
    actions,
    output,
    limits,
    trials,
  });
}

/** What stands before and after each prompt of a test. */
function between({ layers }: PromptTest, lines: readonly string[]): readonly string[] {
  const of = (name: string) =>
    layers.flatMap((layer) => layer.field('options')?.field(name)?.text() ?? []).at(-1) ?? '';
  return lines.map(
    (line, index) => `${index === 0 ? of('prefix') : ''}${line}${index === lines.length - 1 ? of('suffix') : ''}`,
  );
}

interface Said {
  readonly lines: readonly string[];
  /** Names of variables that stand in it. */
  readonly used: readonly string[];
}

function rendered(prompt: PromptTemplate, variables: Variables, { notes }: ImportContext): Said {
  const lines = prompt.lines.map((line) => renderTemplate(line, variables));
  if (lines.some(({ whole }) => !whole)) {
    notes.change(prompt.at, templateNote);
  }
  return { lines: lines.map(({ text }) => text), used: lines.flatMap(({ used }) => used) };
}

/** Without a prompt, the variable that is called like one, or the only one there is. */
function bareInput(variables: Variables): Said | undefined {
  const texts = [...variables].filter(([, value]) => typeof value === 'string');
  const name =
    inputNames.find((each) => texts.some(([other]) => other === each)) ??
    (texts.length === 1 ? texts[0]?.[0] : undefined);
  const value: JsonValue | undefined = name === undefined ? undefined : variables.get(name);
  return name === undefined || value === undefined ? undefined : { lines: [textOf(value)], used: [name] };
}
