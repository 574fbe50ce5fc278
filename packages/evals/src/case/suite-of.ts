import { invalidCase, type CasePlace } from './case-place.js';
import { CaseFileReader } from './case-file-reader.js';
import type { EvalCase, EvalSuite, SkillOffer } from './eval-case.js';
import { expectationsOf } from './expectations-of.js';
import type { CaseFiles } from '../trial/eval-ports.js';
import type { WrittenCase, WrittenDefaults, WrittenSuite } from './suite-schema.js';
import { suiteNameOf } from './suite-name-of.js';

/** What a file of cases does not say itself. */
export interface SuiteSources {
  readonly fileName: string;
  readonly files?: CaseFiles | undefined;
  readonly name?: string | undefined;
  readonly skills?: readonly string[] | undefined;
}

/** A suite, of how it stands in a file. @throws `INVALID_CASE`; what reading its files throws. */
export async function suiteOf(written: WrittenSuite, options: SuiteSources): Promise<EvalSuite> {
  const { fileName } = options;
  const files = new CaseFileReader(fileName, options.files);
  const cases: EvalCase[] = [];
  for (const [index, each] of written.cases.entries()) {
    const place = { fileName, at: `cases.${index}` };
    cases.push(await caseOf(withDefaults(each, written.defaults), { place, files }));
  }
  return {
    name: written.name ?? options.name ?? suiteNameOf(fileName),
    skills: written.skills ?? options.skills ?? [],
    cases,
  };
}

/** Fields of objects are taken one by one; everything else, lists too, is either of the case or of the defaults. */
function withDefaults(written: WrittenCase, defaults: WrittenDefaults | undefined): WrittenCase {
  if (defaults === undefined) return written;
  return {
    ...defaults,
    ...withoutMissing(written),
    files: merged(defaults.files, written.files),
    offer: merged(defaults.offer, written.offer),
    expected: merged(defaults.expected, written.expected),
    constraints: merged(defaults.constraints, written.constraints),
    id: written.id,
  };
}

function merged<Fields extends object>(under: Fields | undefined, over: Fields | undefined): Fields | undefined {
  if (under === undefined || over === undefined) return over ?? under;
  return { ...under, ...withoutMissing(over) };
}

function withoutMissing<Fields extends object>(fields: Fields): Partial<Fields> {
  // It has no other fields than these.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

interface CaseSources {
  readonly place: CasePlace;
  readonly files: CaseFileReader;
}

async function caseOf(written: WrittenCase, { place, files }: CaseSources): Promise<EvalCase> {
  const { id, kind = 'task', title, tags = [], constraints = {}, trials, script } = written;
  const at = (name: string): CasePlace => ({ ...place, at: `${place.at}.${name}` });
  return {
    id,
    kind,
    ...(title === undefined ? {} : { title }),
    tags,
    conversation: conversationOf(written, place),
    files: await files.readAll(written.files ?? {}, at('files')),
    offer: offerOf(written.offer),
    expected: await files.withPrograms(expectationsOf(written.expected, at('expected')), at('expected.output')),
    limits: withoutMissing(constraints),
    ...(trials === undefined ? {} : { trials }),
    // It was read from JSON.
    ...(script === undefined ? {} : { script: script as EvalCase['script'] }),
  };
}

function conversationOf({ input, conversation }: WrittenCase, { fileName, at }: CasePlace): EvalCase['conversation'] {
  if ((input === undefined) === (conversation === undefined)) {
    throw invalidCase(fileName, [{ path: at, message: 'expected either input or conversation' }]);
  }
  return conversation ?? [{ input: input ?? '' }];
}

function offerOf({ skills, distractors = [], preload = [] }: WrittenCase['offer'] = {}): SkillOffer {
  return { ...(skills === undefined ? {} : { skills }), distractors, preload };
}
