import { expectOptions, readDocument } from '@skillpack/core';
import { Document, isScalar, visit } from 'yaml';
import { invalidCase } from './case-place.js';
import { checkSuite } from './check-suite.js';
import type { EvalSuite } from './eval-case.js';
import { maxSuiteLength, maxYamlLength } from './suite-limits.js';
import { suiteSchema } from './suite-schema.js';
import { writeYaml } from './write-yaml.js';
import { writtenSuiteOf, type PlaceFile } from './written-suite-of.js';

/** How a suite is written. */
export interface FormatSuiteOptions {
  /**
   * Says where a file of a case lies: it then stands there by `from`, and whoever writes the suite puts it there.
   *
   * @default its bytes stand in the text
   */
  readonly placeFile?: PlaceFile | undefined;
}

const optionNames: Readonly<Record<keyof FormatSuiteOptions, true>> = { placeFile: true };

/**
 * Writes a suite as a file of cases, in YAML: what `parseSuite` makes of it is the same suite. Files stand in it as
 * texts, or in Base64. One of more than 1.5 million characters, or with characters that nobody sees, is written as JSON,
 * which is YAML, too.
 *
 * @throws `INVALID_CASE` for a suite that `parseSuite` would refuse, and one whose files are too large for one text.
 */
export function formatSuite(suite: EvalSuite, options: FormatSuiteOptions = {}): string {
  expectOptions(options, { of: 'formatSuite', names: optionNames });
  const { placeFile } = options;
  checkSuite(suite);
  const bytes = suite.cases
    .flatMap(({ id, files }) => files.filter((file) => placeFile?.(file, { case: id }) === undefined))
    .reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes > maxSuiteLength) {
    const message = `its files have ${bytes} bytes, at most ${maxSuiteLength} are written into one text: take them by from`;
    throw invalidCase(suite.name, [{ path: '', message }]);
  }
  const json = JSON.stringify(writtenSuiteOf(suite, placeFile));
  const what = `The suite ${suite.name}`;
  readDocument(json, suiteSchema, { what, code: 'INVALID_CASE', maxLength: maxSuiteLength });
  if (json.length > maxYamlLength) return `${json}\n`;
  // It was made of an object.
  const yaml = writeYaml(JSON.parse(json) as object, yamlOf);
  return yaml.length > maxYamlLength ? `${json}\n` : yaml;
}

const longestLine = 80;

/** Lists of a few short words stand on one line. Nothing is folded, and what is there twice stands there twice. */
function yamlOf(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, schema: 'core' });
  visit(document, {
    Seq: (_, list) => {
      const lengths = list.items.map((item) => (isScalar(item) ? String(item.value).length + 2 : Infinity));
      list.flow = lengths.reduce((sum, length) => sum + length, 0) <= longestLine;
    },
  });
  return document.toString({ lineWidth: 0 });
}
