import type { JsonObject } from '@skillpack/core';
import { invalidCase, type CasePlace } from './case-place.js';
import type { ActionRule, Expectations, ExpectedSkills, OutputCheck, OutputOf, StepPattern } from './expectations.js';
import { checkFields, ruleFields } from './one-of-fields.js';
import type { WrittenCase, WrittenCheck, WrittenRule, WrittenSkills, WrittenStep } from './suite-schema.js';

/** What is expected, of how it stands in a file. @throws `INVALID_CASE` for what says nothing, or two things at once. */
export function expectationsOf(written: WrittenCase['expected'], place: CasePlace): Expectations {
  const { skills, actions = [], output = [], disclosure = true, approvals = true } = written ?? {};
  const at = (name: string): CasePlace => ({ ...place, at: `${place.at}.${name}` });
  return {
    ...(skills === undefined ? {} : { skills: skillsOf(skills, at('skills')) }),
    actions: actions.map((rule, index) => ruleOf(rule, at(`actions.${index}`))),
    output: output.map((check, index) => checkOf(check, at(`output.${index}`))),
    disclosure,
    approvals,
  };
}

function skillsOf({ any_of, all_of, none, others }: WrittenSkills, place: CasePlace): ExpectedSkills {
  if (any_of === undefined && all_of === undefined && none === undefined) {
    throw refused(place, 'expected any_of, all_of or none');
  }
  return {
    ...(any_of === undefined ? {} : { anyOf: any_of }),
    ...(all_of === undefined ? {} : { allOf: all_of }),
    ...(none === undefined ? {} : { none }),
    ...(others === undefined ? {} : { others }),
  };
}

function ruleOf(written: WrittenRule, place: CasePlace): ActionRule {
  const kind = onlyOne(written, { of: ruleFields, what: 'a rule', place });
  switch (kind) {
    case 'occurs': {
      const { occurs, atLeast, atMost } = written;
      if (atLeast !== undefined && atMost !== undefined)
        throw refused(place, 'expected either atLeast or atMost; write two rules');
      const step = stepOf(occurs);
      return atMost === undefined ? { kind, step, atLeast: atLeast ?? 1 } : { kind: 'at_most', step, most: atMost };
    }
    case 'forbidden':
      return { kind, step: stepOf(written.forbidden) };
    case 'first':
      if (written.before === undefined) throw refused(place, 'expected before beside first');
      // eslint-disable-next-line unicorn/no-thenable -- it is no function, so nothing waits for it
      return { kind: 'before', first: stepOf(written.first), then: stepOf(written.before) };
    case 'sequence':
      return { kind, mode: written.mode ?? 'in_order', steps: (written.sequence ?? []).map(stepOf) };
  }
}

function stepOf(written: WrittenStep = {}): StepPattern {
  const { action, skill, tool, path, args, input, inputExactly, ok } = written;
  return {
    ...(action === undefined ? {} : { action }),
    ...(skill === undefined ? {} : { skill }),
    ...(tool === undefined ? {} : { tool }),
    ...(path === undefined ? {} : { path }),
    ...(args === undefined ? {} : { args }),
    // It was read from JSON.
    ...(input === undefined ? {} : { input: input as JsonObject }),
    ...(inputExactly === undefined ? {} : { inputExactly }),
    ...(ok === undefined ? {} : { ok }),
  };
}

function checkOf({ not, text, ...written }: WrittenCheck, place: CasePlace): OutputCheck {
  const about = { negated: not ?? false, ...(text === undefined ? {} : { text }) };
  const kind = onlyOne(written, { of: checkFields, what: 'a check', place });
  const of = subjectOf(written.of, place);
  const caseless = written.caseless ?? false;
  switch (kind) {
    case 'contains':
      return { kind, of, texts: written.contains ?? [], mode: written.mode ?? 'all', caseless, ...about };
    case 'equals':
      return { kind, of, value: written.equals ?? '', caseless, ...about };
    case 'startsWith':
      return { kind: 'starts_with', of, value: written.startsWith ?? '', caseless, ...about };
    case 'regex':
      return { kind, of, pattern: written.regex ?? '', flags: written.flags ?? '', ...about };
    case 'json': {
      const { json = true, within = false } = written;
      // It was read from JSON.
      return { kind, of, ...(json === true ? {} : { schema: json as JsonObject }), within, ...about };
    }
    case 'words': {
      const { least, most } = written.words ?? {};
      if (least === undefined && most === undefined)
        throw refused({ ...place, at: `${place.at}.words` }, 'expected least or most');
      return { kind, of, ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }), ...about };
    }
    case 'similar':
      if (written.least === undefined) throw refused(place, 'expected least, from 0 to 1, beside similar');
      return { kind, of, reference: written.similar ?? '', least: written.least, ...about };
    case 'file':
      return { kind, path: written.file ?? '', ...about };
    case 'script':
      return { kind, script: written.script ?? '', args: written.args ?? [], ...about };
    case 'rubric':
      return { kind, statement: written.rubric ?? '', ...about };
  }
}

function subjectOf(of: WrittenCheck['of'], place: CasePlace): OutputOf {
  const { turn, file } = of ?? {};
  if (turn !== undefined && file !== undefined)
    throw refused({ ...place, at: `${place.at}.of` }, 'expected either turn or file');
  if (file !== undefined) return { kind: 'file', path: file };
  return { kind: 'answer', ...(turn === undefined ? {} : { turn }) };
}

interface OneOf<Kind extends string> {
  /** Each kind, with the fields that may stand beside it. */
  readonly of: Readonly<Record<Kind, readonly string[]>>;
  /** As a message calls it. */
  readonly what: string;
  readonly place: CasePlace;
}

/** Which of these fields it has: one, and beside it only what belongs to it. @throws `INVALID_CASE`. */
function onlyOne<Kind extends string>(written: object, { of, what, place }: OneOf<Kind>): Kind {
  const given = Object.entries(written).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const kinds = Object.keys(of) as Kind[]; // its keys are the kinds
  const [kind, other] = kinds.filter((name) => given.includes(name));
  if (kind === undefined) throw refused(place, `expected ${what} with one of ${kinds.join(', ')}`);
  if (other !== undefined)
    throw refused(place, `expected ${what} with one of ${kinds.join(', ')}, found ${kind} and ${other}`);
  const stray = given.find((name) => name !== kind && !of[kind].includes(name));
  if (stray !== undefined)
    throw refused({ ...place, at: `${place.at}.${stray}` }, `expected no ${stray} beside ${kind}`);
  return kind;
}

function refused({ fileName, at }: CasePlace, message: string) {
  return invalidCase(fileName, [{ path: at, message }]);
}
