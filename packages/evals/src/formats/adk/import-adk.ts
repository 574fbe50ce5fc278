import type { EvalCase } from '../../case/eval-case.js';
import type { ActionRule, OutputCheck } from '../../case/expectations.js';
import { finishCase } from '../finish-case.js';
import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import type { SuiteParts } from '../suite-parts.js';
import { adkCriteria, type AdkCriteria } from './adk-criteria.js';
import { adkRubrics } from './adk-rubrics.js';
import { adkTurns, type AdkTurn } from './adk-turns.js';
import { trajectoryRules } from './trajectory-rules.js';

/** Evalsets of ADK: each case is a conversation with the tools that are called in it, and the answers to its lines. */
export async function importAdk(root: ForeignValue, context: ImportContext): Promise<SuiteParts> {
  const criteria = await adkCriteria(context);
  const name = root.field('eval_set_id', 'evalSetId', 'name');
  const cases = entriesOf(root).flatMap((entry) => importCase(entry, context, criteria) ?? []);
  const skill = context.subjectIfAny(undefined);
  return { name: name?.text(), skills: skill === undefined ? [] : [skill], cases };
}

interface Entry {
  readonly at: ForeignValue;
  readonly id: ForeignValue | undefined;
  /** The lines of the person, with what is expected of each. */
  readonly turns: readonly ForeignValue[];
}

/** Cases as newer evalsets have them, as older ones do, and a bare list of lines, which is one case. */
function entriesOf(root: ForeignValue): readonly Entry[] {
  const cases = root.list ? root.items() : (root.field('eval_cases', 'evalCases')?.items() ?? []);
  const isLine = (item: ForeignValue) => item.has('query') && !item.has('data');
  if (root.list && cases.every(isLine)) return [{ at: root, id: undefined, turns: cases }];
  return cases.map((at) => ({
    at,
    id: at.field('eval_id', 'evalId', 'name'),
    turns: at.field('conversation', 'data')?.items() ?? [],
  }));
}

function importCase(
  { at, id: written, turns: all }: Entry,
  context: ImportContext,
  criteria: AdkCriteria,
): EvalCase | undefined {
  const turns = all.length > 0 ? adkTurns(all, context) : scenarioTurns(at, context);
  const lines = turns.map(({ input }) => input);
  if (lines.length === 0) {
    context.notes.drop(at, 'A case without a line of the person is none.');
    return undefined;
  }
  const id = (written === undefined ? undefined : context.ids.given(written)) ?? context.ids.made(lines.join(' '));
  context.notes.caseAt(at, id);
  const actions: readonly ActionRule[] = trajectoryRules(turns, context, criteria);
  const rubrics = [at.field('rubrics'), ...turns.map(({ at: turn }) => turn.field('rubrics'))];
  const output = [
    ...answers(turns, context, criteria),
    ...rubrics.flatMap((list) => adkRubrics(list, context)),
    ...criteria.rubrics,
  ];
  return finishCase(at, context, { id, kind: 'task', lines, actions, output });
}

/** A conversation that a simulated person leads: its first line is kept. */
function scenarioTurns(at: ForeignValue, { notes }: ImportContext): readonly AdkTurn[] {
  const scenario = at.field('conversation_scenario', 'conversationScenario');
  const first = scenario?.field('starting_prompt', 'startingPrompt');
  if (scenario === undefined || first === undefined || typeof first.value !== 'string') return [];
  const input = first.text() ?? '';
  notes.mention('changed', scenario, 'Nobody simulates the person here: the conversation is its first line.');
  return [{ at: scenario, input, reference: undefined, calls: undefined }];
}

function answers(
  turns: readonly AdkTurn[],
  { notes }: ImportContext,
  { response, sameMeaning }: AdkCriteria,
): readonly OutputCheck[] {
  return turns.flatMap(({ reference }, index): readonly OutputCheck[] => {
    const text = reference?.value ?? '';
    if (reference === undefined || typeof text !== 'string' || text.trim() === '') return [];
    const turn = turns.length === 1 ? {} : { turn: index + 1 };
    const place = turns.length === 1 ? '' : `To line ${index + 1}: `;
    const same = sameMeaning
      ? [{ kind: 'rubric' as const, statement: `${place}The answer means the same as: ${text}`, negated: false }]
      : [];
    if (sameMeaning) notes.keep(reference, 'It takes a judge to say whether this holds.');
    if (response === undefined) {
      if (!sameMeaning) notes.drop(reference, 'The criteria do not ask for the answer.');
      return same;
    }
    reference.take();
    notes.mention('changed', reference, 'It is compared by ROUGE-1 recall of words; ADK takes the F-measure.');
    return [
      { kind: 'similar', of: { kind: 'answer', ...turn }, reference: text, least: response, negated: false },
      ...same,
    ];
  });
}
