import { quoted } from '../errors/quoted.js';
import { cleanText } from './clean-text.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import { plainKind } from './plain-scalar.js';
import { readAllowedTools } from './read-allowed-tools.js';
import { readName } from './read-name.js';
import type { Field } from './read-yaml.js';
import { requiredText } from './required-text.js';
import type { SkillHead } from './skill.js';
import type { SkillSurroundings } from './skill-surroundings.js';

type Fields = ReadonlyMap<string, Field>;

const known = new Set(['name', 'description', 'license', 'allowed-tools', 'metadata', 'compatibility']);
const longestDescription = 1024;
const longestCompatibility = 500;

/** Reads a skill out of its fields; `undefined` when it has no usable name. */
export function readFields(fields: Fields, around: SkillSurroundings, log: DiagnosticLog): SkillHead | undefined {
  for (const { key, offset } of fields.values()) {
    if (known.has(key)) continue;
    log.report('unknown-field', {
      at: { offset },
      message: `The specification does not know the field ${quoted(key)}.`,
      fix: 'Put it under metadata, or leave it out.',
    });
  }
  const name = readName(fields.get('name'), around, log);
  const description = readDescription(fields.get('description'), around, log);
  const metadata = readMetadata(fields.get('metadata'), log);
  const license = readText(fields.get('license'), log);
  const compatibility = readCompatibility(fields.get('compatibility'), log);
  const disabled = readFlag(fields.get('disable-model-invocation'), false, log);
  const userInvocable = readFlag(fields.get('user-invocable'), true, log);
  if (disabled && !userInvocable) reportNever(fields, log);
  if (name === undefined) return undefined;
  return {
    name,
    description,
    license,
    compatibility,
    metadata,
    allowedTools: readAllowedTools(fields, log),
    version: readText(fields.get('version'), log) ?? textOf(metadata['version']),
    author: readText(fields.get('author'), log) ?? textOf(metadata['author']),
    modelInvocable: description !== undefined && !disabled,
    userInvocable,
    runMode: readRunMode(fields.get('run-mode'), log),
    frontMatter: Object.fromEntries([...fields].map(([key, field]) => [key, field.value])),
    bodyLine: around.bodyLine,
  };
}

function readDescription(
  field: Field | undefined,
  { profile }: SkillSurroundings,
  log: DiagnosticLog,
): string | undefined {
  const raw = field === undefined ? '' : requiredText(field, log);
  const text = cleanText(raw).trim();
  // The limit counts what is written; a block scalar's last line break is written too.
  const counted = profile === 'strict' ? raw : text;
  if (text === '') {
    log.report('description-missing', {
      at: field === undefined ? { line: 1 } : { offset: field.offset },
      message: field === undefined ? 'There is no description.' : 'The description is empty.',
      fix: 'No model is offered the skill. Write what it does and when to use it.',
    });
    return undefined;
  }
  if (counted.length <= longestDescription) return text;
  log.report('description-too-long', {
    at: { offset: field?.offset ?? 0 },
    message: `The description has ${counted.length} characters; at most ${longestDescription} are allowed.`,
    fix: `Its first ${longestDescription} characters count. Move the rest into the body.`,
  });
  return firstCharacters(text, longestDescription);
}

/** At most `length` UTF-16 code units, never half of a character. */
function firstCharacters(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/u.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

function readCompatibility(field: Field | undefined, log: DiagnosticLog): string | undefined {
  if (field === undefined) return undefined;
  const at = { offset: field.offset };
  const { scalar } = field;
  if (scalar === undefined || (scalar.plain && plainKind(scalar.text) !== 'text')) {
    log.report('compatibility-not-text', {
      at,
      message: `The compatibility is ${quoted(field.source)}, not text.`,
      fix: 'Put quotes around it.',
    });
    return scalar === undefined ? cleanText(field.source).trim() : textOrNothing(scalar);
  }
  if (scalar.text.length > longestCompatibility) {
    log.report('compatibility-too-long', {
      at,
      message: `The compatibility has ${scalar.text.length} characters; at most ${longestCompatibility} are allowed.`,
      fix: 'Shorten it.',
    });
  }
  return textOrNothing(scalar);
}

function readMetadata(field: Field | undefined, log: DiagnosticLog): Readonly<Record<string, unknown>> {
  if (field === undefined || field.value === null) return {};
  const { value } = field;
  if (typeof value !== 'object' || Array.isArray(value)) {
    log.report('metadata-not-map', {
      at: { offset: field.offset },
      message: `The metadata is ${quoted(field.source)}, not a map.`,
      fix: 'It was ignored. Write one key a line, indented.',
    });
    return {};
  }
  const odd = Object.entries(value).find(([, inner]) => typeof inner !== 'string');
  if (odd !== undefined) {
    log.report('metadata-not-strings', {
      at: { offset: field.offset },
      message: `The value of ${quoted(odd[0])} in the metadata is not a string.`,
      fix: 'Put quotes around it.',
    });
  }
  // An object that is no array came from a YAML map, whose keys are strings.
  return value as Readonly<Record<string, unknown>>;
}

function readFlag(field: Field | undefined, otherwise: boolean, log: DiagnosticLog): boolean {
  const text = field?.scalar?.text.trim().toLowerCase();
  if (field === undefined || text === '') return otherwise;
  if (text === 'true' || text === 'yes' || text === 'on') return true;
  if (text === 'false' || text === 'no' || text === 'off') return false;
  reportIgnored(field, `Write true or false; it counts as ${otherwise}.`, log);
  return otherwise;
}

function readRunMode(field: Field | undefined, log: DiagnosticLog): SkillHead['runMode'] {
  const text = field?.scalar?.text.trim();
  if (field === undefined || text === 'inline' || text === '') return 'inline';
  if (text === 'subagent') return 'subagent';
  reportIgnored(field, 'Write inline or subagent; it counts as inline.', log);
  return 'inline';
}

/** The text of an optional field; `undefined` when it is absent, empty, a list or a map. */
function readText(field: Field | undefined, log: DiagnosticLog): string | undefined {
  if (field === undefined) return undefined;
  if (field.scalar !== undefined) return textOrNothing(field.scalar);
  const named = field.key === 'author' ? nameOf(field.value) : undefined;
  if (named === undefined) reportIgnored(field, 'Write it as text.', log);
  return named;
}

/** `author: { name: … }`, as package manifests write it. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'name' in value ? textOf(value.name) : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return cleanText(value).trim() || undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : nameOf(value);
}

function textOrNothing({ text, plain }: NonNullable<Field['scalar']>): string | undefined {
  return plain && plainKind(text) === 'null' ? undefined : cleanText(text).trim() || undefined;
}

function reportIgnored(field: Field, advice: string, log: DiagnosticLog): void {
  log.report('value-ignored', {
    at: { offset: field.offset },
    message: `The value of ${quoted(field.key)} cannot be used: ${quoted(field.source)}.`,
    fix: advice,
  });
}

function reportNever(fields: Fields, log: DiagnosticLog): void {
  log.report('never-invocable', {
    at: { offset: fields.get('user-invocable')?.offset ?? 0 },
    message: 'disable-model-invocation is true and user-invocable is false.',
    fix: 'Change one of them: so nobody is offered the skill.',
  });
}
