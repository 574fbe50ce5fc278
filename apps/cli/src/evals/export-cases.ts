import { dirname, join, relative, resolve, sep } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { exportSuite, type ExportFormat, type ImportNote } from '@skillpack/evals';
import { readSuite } from '@skillpack/evals/node';
import { makeFolder } from '../files/make-folder.js';
import { writeWholeFile } from '../files/write-whole-file.js';
import { refuseExisting } from './import-cases.js';
import { writeText } from './write-reports.js';

/** What a command line says of a file of cases. */
export interface ExportFlags {
  readonly file: string;
  readonly to: ExportFormat;
  readonly out?: string | undefined;
}

/** What became of a file of cases. */
export interface ExportedCases {
  readonly format: ExportFormat;
  readonly suite: string;
  /** Those that the format has a place for. */
  readonly cases: number;
  /** Those that it has none for. */
  readonly dropped: number;
  readonly notes: readonly ImportNote[];
  /** The files that were written, absolute; none without a folder for them. */
  readonly files: readonly string[];
  readonly text: string;
}

/**
 * Turns a file of cases into that of another tool.
 *
 * @throws as `readSuite`; `USAGE` where one of the files is there already that are to be written, and where the format has
 * a place for none of the cases.
 */
export async function exportCases({ file, to, out }: ExportFlags, cwd: string): Promise<ExportedCases> {
  const { suite } = await readSuite(resolve(cwd, file));
  const { fileName, text, files, notes } = exportSuite(suite, to);
  const dropped = notes.filter(({ kind, at }) => kind === 'dropped' && /^cases\.\d+$/u.test(at));
  const cases = suite.cases.length - dropped.length;
  if (cases === 0) throw nothingLeft(file, to, dropped);
  const written: string[] = [];
  if (out !== undefined) {
    const folder = resolve(cwd, out);
    const main = join(folder, fileName);
    const rest = files.map(({ path, bytes }) => ({ path: within(folder, path), bytes }));
    for (const path of [main, ...rest.map((one) => one.path)]) refuseExisting(path);
    await writeText(main, text);
    for (const { path, bytes } of rest) {
      makeFolder(dirname(path));
      await writeWholeFile(path, bytes);
    }
    written.push(main, ...rest.map(({ path }) => path));
  }
  return { format: to, suite: suite.name, cases, dropped: dropped.length, notes, files: written, text };
}

function nothingLeft(file: string, to: ExportFormat, dropped: readonly ImportNote[]): SkillsError {
  const why = dropped[0]?.message ?? 'There is no case in it.';
  return new SkillsError('USAGE', `${quoted(file)} has no case that could be written as ${to}. ${why}`, {
    hint: 'Nothing was written. Name another format by --to.',
    data: { file, format: to, notes: dropped },
  });
}

function within(folder: string, path: string): string {
  const place = resolve(folder, path);
  if (relative(folder, place).split(sep)[0] !== '..') return place;
  throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `The file would be written to ${place}, outside of ${folder}.`);
}
