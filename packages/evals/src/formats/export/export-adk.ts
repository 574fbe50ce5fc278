import { escapedJson } from '@skillpack/core';
import type { JsonValue } from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../../case/eval-case.js';
import type { ActionRule, OutputCheck, StepPattern } from '../../case/expectations.js';
import type { ExportedSuite } from './exported-suite.js';
import { dropFields, ExportLog } from './export-log.js';

/** An evalset of ADK: each case a conversation with the calls of tools, and the answers that are expected. */
export function exportAdk(suite: EvalSuite): ExportedSuite {
  const log = new ExportLog();
  const cases = suite.cases.flatMap((each, index) => {
    if (each.kind === 'task') return [evalCase(suite, each, { index, log })];
    log.tell(
      'dropped',
      { each, index, path: '' },
      'A case that asks for the choice of skills has no place in an evalset.',
    );
    return [];
  });
  const set = { eval_set_id: suite.name, name: suite.name, eval_cases: cases, creation_timestamp: 0 };
  return {
    fileName: `${suite.name}.evalset.json`,
    text: `${escapedJson(set, 2)}\n`,
    files: [],
    notes: log.notes,
  };
}

interface CaseExport {
  readonly index: number;
  readonly log: ExportLog;
}

function evalCase(suite: EvalSuite, each: EvalCase, { index, log }: CaseExport): object {
  dropFields(log, { each, index }, ['title', 'tags', 'files', 'offer', 'limits', 'trials', 'script', 'skills']);
  const last = each.conversation.length - 1;
  const calls = callsOf(each, { index, log });
  const references = referencesOf(each, { index, log });
  const rubrics = each.expected.output.flatMap((check, at) =>
    check.kind === 'rubric' && !check.negated
      ? [{ rubric_id: check.text ?? `statement-${at + 1}`, rubric_content: { text_property: check.statement } }]
      : [],
  );
  return {
    eval_id: each.id,
    conversation: each.conversation.map(({ input }, turn) => ({
      invocation_id: `${each.id}-${turn + 1}`,
      user_content: message('user', input),
      ...(references.has(turn) ? { final_response: message('model', references.get(turn) ?? '') } : {}),
      ...(calls !== undefined
        ? {
            intermediate_data: {
              tool_uses: turn === last ? calls : [],
              tool_responses: [],
              intermediate_responses: [],
            },
          }
        : {}),
      creation_timestamp: 0,
    })),
    session_input: { app_name: suite.skills[0] ?? suite.name, user_id: 'user', state: {} },
    ...(rubrics.length === 0 ? {} : { rubrics }),
    creation_timestamp: 0,
  };
}

function message(role: 'user' | 'model', text: string): object {
  return { role, parts: [{ text }] };
}

/** The answer that a line is compared with; the first one counts. */
function referencesOf(each: EvalCase, { index, log }: CaseExport): ReadonlyMap<number, string> {
  const references = new Map<number, string>();
  for (const [at, check] of each.expected.output.entries()) {
    const reference = referenceOf(check, each.conversation.length);
    const part = { each, index, path: `expected.output.${at}` };
    if (reference === undefined || references.has(reference.turn)) {
      if (check.kind !== 'rubric' || check.negated)
        log.tell('dropped', part, 'An evalset has no place for this check.');
      continue;
    }
    log.tell('changed', part, 'It is compared by ROUGE-1 there, with the least score that test_config.json says.');
    references.set(reference.turn, reference.text);
  }
  return references;
}

function referenceOf(check: OutputCheck, turns: number): { readonly turn: number; readonly text: string } | undefined {
  if (check.negated || (check.kind !== 'similar' && check.kind !== 'equals') || check.of.kind !== 'answer')
    return undefined;
  return { turn: (check.of.turn ?? turns) - 1, text: check.kind === 'similar' ? check.reference : check.value };
}

/** The calls of tools in their order; `undefined` where none are said. */
function callsOf(each: EvalCase, { index, log }: CaseExport): readonly object[] | undefined {
  const rules = each.expected.actions;
  const made = rules.map((rule) => callsOfRule(rule));
  const calls = made.flat().filter((call) => call !== undefined);
  const none = rules.some((rule) => rule.kind === 'forbidden' && isAnyCall(rule.step));
  const closed =
    none || rules.some((rule) => rule.kind === 'at_most' && rule.most === calls.length && isAnyCall(rule.step));
  for (const [at, rule] of rules.entries()) {
    const part = { each, index, path: `expected.actions.${at}` };
    const own = made[at] ?? [];
    const closes = (rule.kind === 'at_most' && rule.most === calls.length) || rule.kind === 'forbidden';
    if (closes && isAnyCall(rule.step)) continue;
    if (own.length === 0) log.tell('dropped', part, 'An evalset has no place for this rule.');
    else if (!closed) log.tell('changed', part, 'By default ADK takes the calls of an evalset for all there are.');
  }
  if (calls.length === 0) return none ? [] : undefined;
  return calls.map((call, at) => ({ id: `call-${at + 1}`, ...call }));
}

function isAnyCall(step: StepPattern): boolean {
  return step.action === 'call_tool' && Object.values(step).filter((value) => value !== undefined).length === 1;
}

/** The calls that a rule asks for; none where one of its steps is no call that can be written. */
function callsOfRule(rule: ActionRule): readonly object[] {
  const steps =
    rule.kind === 'sequence' && rule.mode === 'in_order' ? rule.steps : rule.kind === 'occurs' ? [rule.step] : [];
  const calls = steps.flatMap((step) => callOf(step) ?? []);
  return calls.length === steps.length ? calls : [];
}

function callOf({ action, tool, input = {}, inputExactly: _, ...rest }: StepPattern): object | undefined {
  if (action !== 'call_tool' || tool === undefined || isPattern(tool) || isPattern(input)) return undefined;
  return Object.values(rest).some((value) => value !== undefined) ? undefined : { name: tool, args: input };
}

function isPattern(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('*') || value.startsWith('$');
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((inner: JsonValue) => isPattern(inner))
  );
}
