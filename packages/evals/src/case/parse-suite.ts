import { expectOptions, parseJson, quoted, readDocument, SkillsError } from '@skillpack/core';
import { readYaml } from '../formats/read-yaml.js';
import type { CaseFiles } from '../trial/eval-ports.js';
import { casesHint, invalidCase } from './case-place.js';
import { checkSuite } from './check-suite.js';
import type { EvalSuite } from './eval-case.js';
import { maxSuiteLength, maxYamlLength } from './suite-limits.js';
import { repeatedKey } from './repeated-key.js';
import { suiteOf } from './suite-of.js';
import { suiteSchema } from './suite-schema.js';
import { textProblems } from './text-problems.js';
import { sizeProblem } from './value-size.js';

/** How a file of cases is read. */
export interface ParseSuiteOptions {
  /** Names it in messages; `.json` is read as JSON, everything else as YAML, of which JSON is a part. */
  readonly fileName: string;
  /** Where the files are that cases take by `from`. @default a case that takes one is refused */
  readonly files?: CaseFiles | undefined;
  /** Of a suite that does not say its name. @default made of `fileName` */
  readonly name?: string | undefined;
  /** Of a suite that does not say its skills. @default [] */
  readonly skills?: readonly string[] | undefined;
}

const optionNames: Readonly<Record<keyof ParseSuiteOptions, true>> = {
  fileName: true,
  files: true,
  name: true,
  skills: true,
};

/**
 * Reads a file of cases, and looks whether what is expected in it can come true at all. Files that cases take by `from`
 * are read at once.
 *
 * @throws `INVALID_CASE`, with the place in the file and what was expected there; `UNSUPPORTED_FORMAT`; what `files` throws.
 */
export async function parseSuite(text: string, options: ParseSuiteOptions): Promise<EvalSuite> {
  expectOptions(options, { of: 'parseSuite', names: optionNames });
  const { fileName } = options;
  if (typeof text !== 'string' || typeof fileName !== 'string') {
    throw new SkillsError('USAGE', 'parseSuite takes the text of a file, and its name as “fileName”.');
  }
  const what = `The suite ${fileName}`;
  const read = { what, code: 'INVALID_CASE', maxLength: maxSuiteLength, hint: casesHint } as const;
  const json = jsonOf(text, fileName);
  const written = readDocument(json, suiteSchema, read);
  refuseLostKeys(json, fileName);
  const repeated = repeatedKey(json);
  if (repeated !== undefined) {
    throw invalidCase(fileName, [{ path: '', message: `the key ${quoted(repeated, 60)} stands twice in one object` }]);
  }
  const suite = await suiteOf(written, options);
  checkSuite(suite, { fileName });
  return suite;
}

/** Keys that are dropped in silence where documents are read. An escape may spell them otherwise. */
function refuseLostKeys(json: string, fileName: string): void {
  if (!/__proto__|\\u/u.test(json)) return;
  const [problem] = textProblems(parseJson(json.replace(/^\uFEFF/u, '')), '');
  if (problem !== undefined) throw invalidCase(fileName, [problem]);
}

function jsonOf(text: string, fileName: string): string {
  if (fileName.toLowerCase().endsWith('.json')) return text;
  if (text.length > maxYamlLength) {
    if (text.startsWith('{')) return text;
    const problem = `it has ${text.length} characters; of YAML at most ${maxYamlLength} are read, of JSON ${maxSuiteLength}`;
    throw invalidCase(fileName, [{ path: '', message: problem }]);
  }
  let value: unknown;
  try {
    value = readYaml(text.replace(/^\uFEFF/u, ''));
  } catch (cause) {
    // The library may run out of stack on hostile text: whatever it throws is about this text.
    const message = cause instanceof RangeError ? 'it has too many levels' : (cause as Error).message;
    throw invalidCase(fileName, [{ path: '', message }], cause);
  }
  const problem = sizeProblem(value);
  if (problem !== undefined) throw invalidCase(fileName, [{ path: '', message: problem }]);
  return JSON.stringify(value) ?? 'null';
}
