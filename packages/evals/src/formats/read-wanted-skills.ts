import { quoted } from '@skillpack/core';
import type { ExpectedSkills } from '../case/expectations.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportContext } from './import-context.js';
import {
  forbiddenNames,
  isNoSkill,
  isUndecided,
  labelNames,
  labelOf,
  skillNames,
  type TriggerLabel,
} from './trigger-words.js';

/** What an entry is read with. */
export interface WantedOptions {
  /** The skill that a yes or a no is about; asked only where one is needed. @throws `INVALID_CASE` where there is none. */
  readonly subject: () => string;
  /** Whether the skill is to be used, where the entry stands in a list that says so. */
  readonly fires?: boolean | undefined;
}

/** Which skills an entry wants; `undefined` where it does not say. */
export function readWantedSkills(
  entry: ForeignValue,
  context: ImportContext,
  options: WantedOptions,
): ExpectedSkills | undefined {
  const own = entry.field('skill', 'skill_name', 'skillName');
  const subject = () => (own === undefined ? undefined : context.skill(own)) ?? options.subject();
  const label: TriggerLabel | undefined =
    options.fires === undefined ? writtenLabel(entry, context) : { kind: 'fires', fires: options.fires };
  const wanted = entry.has(skillNames.find((name) => entry.has(name)) ?? '') ? namedSkill(entry) : undefined;
  const said = expected(wanted ?? label, context, subject);
  const requiredField = entry.field('required_skills', 'requiredSkills');
  const required = context.skillList(requiredField);
  if (requiredField !== undefined && required.length > 0 && said?.none === true) {
    context.notes.change(requiredField, 'No skill at all is to be used, and so none is required.');
  }
  const base = withRequired(said, required) ?? (entry.field(...forbiddenNames) === undefined ? undefined : {});
  if (base === undefined) return undefined;
  const besides = wanted !== undefined && label?.kind === 'fires' && !label.fires ? [subject()] : [];
  const optional = entry.field('optional_skills', 'optionalSkills');
  if (optional !== undefined && optional.items().length > 0) {
    context.notes.change(
      optional,
      'Other skills than those that are wanted may be used, so that optional ones need no list.',
    );
  }
  const all = withForbidden(base, { entry, context, besides });
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Skills that are required besides. */
function withRequired(said: ExpectedSkills | undefined, required: readonly string[]): ExpectedSkills | undefined {
  if (required.length === 0 || said?.none === true) return said;
  return { ...said, allOf: [...new Set([...(said?.allOf ?? []), ...required])] };
}

function writtenLabel(entry: ForeignValue, context: ImportContext): TriggerLabel | undefined {
  const field = entry.field(...labelNames);
  if (field !== undefined) return understoodLabel(field, context);
  return labelNames.some((name) => entry.has(name)) ? { kind: 'none' } : undefined;
}

function understoodLabel(field: ForeignValue, { notes }: ImportContext): TriggerLabel | undefined {
  if (typeof field.value !== 'string' || !isUndecided(field.value)) return labelOf(field);
  notes.drop(field, `The label ${quoted(field.value, 80)} says neither yes nor no.`);
  return undefined;
}

function namedSkill(entry: ForeignValue): TriggerLabel | undefined {
  const names = entry.field(...skillNames);
  if (names === undefined) return { kind: 'none' };
  if (names.value === '') return undefined;
  if (typeof names.value !== 'string' || !isNoSkill(names.value)) return { kind: 'skills', names };
  names.take();
  return { kind: 'none' };
}

function expected(
  label: TriggerLabel | undefined,
  context: ImportContext,
  subject: () => string,
): ExpectedSkills | undefined {
  switch (label?.kind) {
    case undefined:
      return undefined;
    case 'none':
      return { none: true };
    case 'fires':
      return label.fires ? { allOf: [subject()] } : { none: [subject()] };
    case 'skills': {
      const names = context.skillList(label.names);
      if (names.length === 0) return undefined;
      return names.length === 1 ? { allOf: names } : { anyOf: names };
    }
  }
}

function withForbidden(
  base: ExpectedSkills,
  {
    entry,
    context,
    besides,
  }: { readonly entry: ForeignValue; readonly context: ImportContext; readonly besides: readonly string[] },
): ExpectedSkills {
  const field = entry.field(...forbiddenNames);
  if (base.none === true) {
    if (field !== undefined && field.items().length > 0) {
      context.notes.change(field, 'No skill at all is to be used, which these skills are part of.');
    }
    return base;
  }
  const wanted = new Set([...(base.allOf ?? []), ...(base.anyOf ?? [])]);
  const named = [...besides, ...context.skillList(field), ...(base.none ?? [])];
  const forbidden = [...new Set(named)].filter((name) => !wanted.has(name));
  if (field !== undefined && named.some((name) => wanted.has(name))) {
    context.notes.change(field, 'A skill that is wanted and forbidden is wanted.');
  }
  return forbidden.length === 0 ? base : { ...base, none: forbidden };
}
