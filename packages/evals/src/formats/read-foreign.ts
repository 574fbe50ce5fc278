import { quoted, readDocument, SkillsError, type JsonValue } from '@skillpack/core';
import * as z from 'zod/mini';
import { maxYamlLength } from '../case/suite-limits.js';
import { sizeProblem } from '../case/value-size.js';
import { csvTests, isTestTable } from './promptfoo/csv-tests.js';
import { readCsv } from './read-csv.js';
import { readYaml } from './read-yaml.js';

const maxLength = 4 * 1024 * 1024;
const maxRows = 10_000;
export const formatsHint = 'docs/eval-formats.md lists the formats that are read.';

/** How a file of another tool is written. */
type ForeignSyntax = 'json' | 'lines' | 'csv' | 'yaml';

/** The syntax of a file, by its name; without an ending that says it, by its first character. */
function syntaxOf(text: string, fileName: string): ForeignSyntax {
  const name = fileName.toLowerCase();
  if (/\.(?:jsonl|ndjson)$/u.test(name)) return 'lines';
  if (name.endsWith('.csv')) return 'csv';
  if (/\.ya?ml$/u.test(name)) return 'yaml';
  return name.endsWith('.json') || /^\uFEFF?\s*[{[]/u.test(text.slice(0, 200)) ? 'json' : 'yaml';
}

/**
 * Reads what nobody vouches for: size first, then syntax. Keys named `__proto__` are dropped. Lines of JSON become a list;
 * rows of comma-separated values a list of objects by the names of the first row, or of tests.
 *
 * @throws `INVALID_CASE`; `UNSUPPORTED_FORMAT` for a file of ours of a newer version.
 */
export function readForeign(text: string, fileName: string): JsonValue {
  switch (syntaxOf(text, fileName)) {
    case 'json':
      return jsonOf(text, fileName);
    case 'lines':
      return linesOf(text, fileName);
    case 'csv':
      return rowsOf(text, fileName);
    case 'yaml':
      return jsonOf(yamlOf(text, fileName), fileName);
  }
}

function jsonOf(json: string, fileName: string): JsonValue {
  const value = readDocument(json, z.unknown(), { what: fileName, code: 'INVALID_CASE', maxLength, hint: formatsHint });
  return value as JsonValue; // JSON says nothing else
}

function linesOf(text: string, fileName: string): JsonValue {
  checkLength(text, fileName, maxLength);
  const lines = text.replace(/^\uFEFF/u, '').split(/\r?\n/u);
  if (lines.length > maxRows) throw tooMany(fileName, 'lines');
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [jsonOf(line, `${fileName}, line ${index + 1},`)]));
}

function rowsOf(text: string, fileName: string): JsonValue {
  checkLength(text, fileName, maxLength);
  const [names = [], ...rows] = told(fileName, () => readCsv(text));
  if (rows.length > maxRows) throw tooMany(fileName, 'rows');
  const columns = columnsOf(names, fileName);
  const named = rows.map((row) => {
    const fields = row.map((field, index): readonly [string, string] => [
      columns[index] ?? `column ${index + 1}`,
      field,
    ]);
    // Programs that make tables put commas at the end of lines.
    return Object.fromEntries(fields.filter(([name, field]) => field !== '' || columns.includes(name)));
  });
  return isTestTable(names) ? csvTests(named) : named;
}

/** Of two columns with one name, one would be lost in silence. */
function columnsOf(names: readonly string[], fileName: string): readonly (string | undefined)[] {
  const columns = names.map((name) => name.trim());
  const wrong = columns.find((name, index) => name !== '' && (name === '__proto__' || columns.indexOf(name) < index));
  if (wrong === undefined) return columns.map((name) => (name === '' ? undefined : name));
  const problem =
    wrong === '__proto__' ? 'no column can be called __proto__' : `the column ${quoted(wrong, 60)} is there twice`;
  throw new SkillsError('INVALID_CASE', `${fileName} cannot be read: ${problem}.`, { hint: formatsHint });
}

function yamlOf(text: string, fileName: string): string {
  checkLength(text, fileName, maxYamlLength);
  return told(fileName, () => {
    const value = readYaml(text.replace(/^\uFEFF/u, ''));
    const problem = sizeProblem(value);
    if (problem !== undefined) throw new Error(problem);
    return JSON.stringify(value) ?? 'null';
  });
}

function told<Value>(fileName: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    // The libraries may run out of stack on hostile text: whatever is thrown is about this text.
    const problem = cause instanceof RangeError ? 'it has too many levels' : (cause as Error).message;
    throw new SkillsError('INVALID_CASE', `${fileName} cannot be read: ${problem.replace(/\.$/u, '')}.`, {
      hint: formatsHint,
      cause,
    });
  }
}

function checkLength(text: string, fileName: string, most: number): void {
  if (text.length <= most) return;
  throw new SkillsError('INVALID_CASE', `${fileName} has ${text.length} characters; at most ${most} are read so.`, {
    hint: formatsHint,
    data: { length: text.length, maxLength: most },
  });
}

function tooMany(fileName: string, what: string): SkillsError {
  return new SkillsError('INVALID_CASE', `${fileName} has more than ${maxRows} ${what}.`, { hint: formatsHint });
}
