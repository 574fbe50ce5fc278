import { findPathConflict, quoted } from '@skillpack/core';
import { actionProblems } from './action-problems.js';
import type { CaseProblem } from './case-place.js';
import type { CaseLimits, EvalCase, EvalFile, SkillOffer } from './eval-case.js';
import { nameProblems } from './name-problems.js';
import { outputProblems } from './output-problems.js';
import { pathProblem } from './path-problem.js';
import { namesAsTold, skillProblems } from './skill-problems.js';

/** What is wrong with a case: what no run could do, and what no run could fulfil. */
export function* caseProblems(each: EvalCase, at: string): Iterable<CaseProblem> {
  const { kind, conversation, expected, limits, offer, script, tags, files, trials } = each;
  if (kind === 'trigger') yield* triggerProblems(each, at);
  yield* nameProblems(tags, `${at}.tags`);
  yield* conversationProblems(conversation, at);
  yield* fileProblems(files, `${at}.files`);
  yield* offerProblems(offer, `${at}.offer`);
  yield* limitProblems(limits, `${at}.constraints`);
  if (trials !== undefined && (!Number.isInteger(trials) || trials < 1)) {
    yield { path: `${at}.trials`, message: `expected a whole number from 1, found ${trials}` };
  }
  if (script !== undefined && (typeof script !== 'object' || script === null || Array.isArray(script))) {
    yield { path: `${at}.script`, message: 'expected an object with rules or replies' };
  }
  if (expected.skills !== undefined) yield* skillProblems(expected.skills, { offer, at: `${at}.expected.skills` });
  yield* actionProblems(expected.actions, { limits, at: `${at}.expected.actions` });
  yield* outputProblems(expected.output, { turns: conversation.length, at: `${at}.expected.output` });
}

function* triggerProblems({ conversation, expected, offer }: EvalCase, at: string): Iterable<CaseProblem> {
  const trigger = 'a case of the kind trigger';
  if (conversation.length > 1)
    yield {
      path: `${at}.conversation`,
      message: `expected one line, as ${trigger} ends with the first choice of skills`,
    };
  if (expected.skills === undefined)
    yield { path: `${at}.expected`, message: `expected skills, as ${trigger} asks for nothing else` };
  if (expected.actions.length > 0)
    yield { path: `${at}.expected.actions`, message: `expected none, as ${trigger} ends before anything is done` };
  if (expected.output.length > 0)
    yield { path: `${at}.expected.output`, message: `expected none, as ${trigger} has no output` };
  if (offer.preload.length > 0)
    yield { path: `${at}.offer.preload`, message: `expected none, as in ${trigger} no text of a skill is shown` };
}

function* conversationProblems(conversation: EvalCase['conversation'], at: string): Iterable<CaseProblem> {
  if (conversation.length === 0) yield { path: `${at}.conversation`, message: 'expected at least one line' };
  for (const [index, { input }] of conversation.entries()) {
    const path = conversation.length === 1 ? `${at}.input` : `${at}.conversation.${index}`;
    if (input.trim() === '') yield { path, message: 'expected what a person says, found nothing' };
  }
}

function* fileProblems(files: readonly EvalFile[], at: string): Iterable<CaseProblem> {
  for (const { path } of files) {
    const problem = pathProblem(path);
    if (problem !== undefined) yield { path: `${at}.${path.slice(0, 100)}`, message: problem };
  }
  const conflict = findPathConflict(files.map(({ path }) => path));
  if (conflict === undefined) return;
  const [path, other] = [quoted(conflict.path, 100), quoted(conflict.other, 100)];
  const why = {
    'duplicate-path': `${path} stands there twice`,
    'case-collision': `on some disks ${path} and ${other} are the same`,
    'file-as-folder': `${path} and ${other}: one is a file, and a folder for the other`,
  }[conflict.kind];
  yield { path: at, message: why };
}

function* offerProblems({ skills, distractors, preload }: SkillOffer, at: string): Iterable<CaseProblem> {
  if (skills !== undefined) yield* nameProblems(skills, `${at}.skills`);
  yield* nameProblems(distractors, `${at}.distractors`);
  yield* nameProblems(preload, `${at}.preload`);
  if (skills === undefined) return;
  const offered = namesAsTold([...skills, ...distractors]);
  for (const [index, name] of preload.entries()) {
    if (!offered.has(name.normalize('NFC')))
      yield { path: `${at}.preload.${index}`, message: `expected a skill that is offered, found ${quoted(name, 60)}` };
  }
}

function* limitProblems(limits: CaseLimits, at: string): Iterable<CaseProblem> {
  const { allowedTools, forbiddenTools = [] } = limits;
  yield* nameProblems(allowedTools ?? [], `${at}.allowedTools`);
  yield* nameProblems(forbiddenTools, `${at}.forbiddenTools`);
  const both = allowedTools?.find((name) => forbiddenTools.includes(name));
  if (both !== undefined)
    yield { path: `${at}.forbiddenTools`, message: `${quoted(both, 60)} is allowed and forbidden` };
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value === 'number' && !(value >= 0))
      yield { path: `${at}.${name}`, message: `expected at least 0, found ${value}` };
  }
}
