import {
  expectOptions,
  isSkillName,
  quoted,
  SkillsError,
  suggestNames,
  type JsonObject,
  type JsonValue,
} from '@skillpack/core';
import { checkSuite } from '../case/check-suite.js';
import { isCaseId } from '../case/case-id.js';
import { parseSuite } from '../case/parse-suite.js';
import type { CaseFiles } from '../trial/eval-ports.js';
import { importAdk } from './adk/import-adk.js';
import { ForeignValue, isObject } from './foreign-value.js';
import { formatOf } from './format-of.js';
import { ImportContext } from './import-context.js';
import { importEvalsJson, importKindTrigger } from './import-evals-json.js';
import { importTriggerLists, importTriggerSet } from './import-trigger-sets.js';
import type { CaseFormat, ImportedSuite, ImportNote } from './imported-suite.js';
import { importPromptfoo } from './promptfoo/import-promptfoo.js';
import { readForeign } from './read-foreign.js';
import type { SuiteParts } from './suite-parts.js';

/** How cases of another tool are read. */
export interface ImportOptions {
  /** Names the file in messages. Its end says how it is read: `.json`, `.jsonl`, `.csv`; everything else as YAML. */
  readonly fileName: string;
  /** @default what {@link detectFormat} says */
  readonly format?: CaseFormat | undefined;
  /** Of a suite that does not say its name. @default made of the skill and `fileName` */
  readonly name?: string | undefined;
  /** The skill that the cases are about, where the file does not say so. @default the folder around `evals/` in `fileName` */
  readonly skill?: string | undefined;
  /** Reads the files that cases name, by their paths as they are written there. @default none can be read: each is noted */
  readonly files?: CaseFiles | undefined;
}

/**
 * Reads cases of another tool. What cannot be taken over, or not as it was, is in the notes: each value of the file is
 * either in the suite or in a note.
 *
 * @throws `INVALID_CASE` for a text that is none of the formats, or not what its format says; `USAGE`.
 */
export async function importSuite(text: string, options: ImportOptions): Promise<ImportedSuite> {
  expectOptions(options, { of: 'importSuite', names: optionNames });
  const value = readForeign(text, options.fileName);
  const format = chosenFormat(options.format) ?? formatOf(value);
  const context = new ImportContext({
    fileName: options.fileName,
    files: options.files,
    skill: options.skill ?? skillOfPlace(options.fileName),
  });
  if (format === undefined) throw context.invalid(unknownShape(value));
  if (format === 'skillpack') {
    const { fileName, files, name, skill } = options;
    const suite = await parseSuite(text, {
      fileName,
      files,
      name,
      ...(skill === undefined ? {} : { skills: [skill] }),
    });
    return { format, suite, notes: [] };
  }
  const root = new ForeignValue(value, '');
  const parts = await importers[format](root, context);
  if (parts.cases.length === 0) throw noCase(format, context.notes.all(root), context);
  const { skills, cases } = parts;
  if (cases.length > mostCases) throw context.invalid(`it holds ${cases.length} cases, at most ${mostCases} are read`);
  const suite = { name: nameOf(parts, options), skills, cases };
  checkSuite(suite, { fileName: options.fileName });
  return { format, suite, notes: context.notes.all(root) };
}

function noCase(format: CaseFormat, notes: readonly ImportNote[], context: ImportContext): SkillsError {
  const dropped = notes.filter(({ kind }) => kind === 'dropped');
  // Why a case is none says more than what a part of it lost on the way.
  const first = dropped.find(({ message }) => message.startsWith('The case ')) ?? dropped[0];
  const why = first === undefined ? '' : `: ${first.message.replace(/\.$/u, '')}`;
  return context.invalid(`it holds no case of the format ${format} that can be taken over${why}`);
}

const mostCases = 10_000;

type Importer = (root: ForeignValue, context: ImportContext) => SuiteParts | Promise<SuiteParts>;

const importers: Readonly<Record<Exclude<CaseFormat, 'skillpack'>, Importer>> = {
  agentskills: importEvalsJson,
  'skill-creator': importEvalsJson,
  'trigger-list': importTriggerSet,
  'trigger-wrapper': importTriggerSet,
  'trigger-keys': importTriggerSet,
  'trigger-lists': importTriggerLists,
  apm: importTriggerSet,
  'multi-skill': importTriggerSet,
  waza: importTriggerLists,
  'kind-trigger': importKindTrigger,
  dotnet: importTriggerSet,
  promptfoo: importPromptfoo,
  adk: importAdk,
};

const optionNames: Readonly<Record<keyof ImportOptions, true>> = {
  fileName: true,
  format: true,
  name: true,
  skill: true,
  files: true,
};

function chosenFormat(format: string | undefined): CaseFormat | undefined {
  if (format === undefined || format === 'skillpack') return format;
  if (Object.hasOwn(importers, format)) return format as CaseFormat; // its keys are the formats
  const names = ['skillpack', ...Object.keys(importers)];
  throw new SkillsError('USAGE', `There is no format ${quoted(format, 60)} of cases.`, {
    hint: `There is ${names.join(', ')}.`,
    data: { format: format.slice(0, 60), near: suggestNames(format, names) },
  });
}

function unknownShape(value: JsonValue): string {
  if (isObject(value) && isObject(value['criteria']))
    return 'it holds criteria for an evalset; the cases are in the evalset beside it';
  const shape = Array.isArray(value)
    ? value.length === 0
      ? 'an empty list'
      : 'a list of other things'
    : isObject(value)
      ? `an object with ${fieldsOf(value)}`
      : 'a single value';
  return `it is ${shape}, which is no format of cases that is known`;
}

function fieldsOf(value: JsonObject): string {
  const names = Object.keys(value);
  return names.length === 0
    ? 'nothing in it'
    : names
        .slice(0, 6)
        .map((name) => quoted(name, 40))
        .join(', ');
}

/** The folder around `evals/`, where that can be the name of a skill. */
function skillOfPlace(fileName: string): string | undefined {
  const folder = fileName.replaceAll('\\', '/').split('/').at(-3);
  const inEvals = /(?:^|[/\\])evals[/\\][^/\\]+$/u.test(fileName);
  return inEvals && folder !== undefined && isSkillName(folder) ? folder : undefined;
}

function nameOf({ name, skills }: SuiteParts, options: ImportOptions): string {
  const base = options.fileName.replace(/^.*[/\\]/u, '').replace(/(?:\.(?:test|evalset))?\.[A-Za-z]+$/u, '');
  const [skill] = skills.length === 1 ? skills : [];
  if (name !== undefined || options.name !== undefined || skill === undefined)
    return plainName(name ?? options.name ?? base);
  if (/^evals?$/iu.test(base)) return plainName(skill);
  return plainName(`${skill}-${/^trigger/iu.test(base) ? 'triggers' : base}`);
}

function plainName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/gu, '-')
    .replaceAll(/^[-._]+/gu, '');
  const name = plain.slice(0, 100).replace(/[.-]+$/u, '');
  return isCaseId(name) ? name : 'imported';
}
