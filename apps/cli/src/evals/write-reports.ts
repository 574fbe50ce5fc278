import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { SkillsError } from '@skillpack/core';
import {
  formatReport,
  renderRanksMarkdown,
  renderReportHtml,
  renderReportJunit,
  renderReportMarkdown,
  scoreResults,
  workspaceFiles,
  type EvalReport,
  type EvalResult,
  type EvalSuite,
  type RankComparison,
  type RankReport,
} from '@skillpack/evals';
import { reportPage } from '@skillpack/evals/node';
import { makeFolder } from '../files/make-folder.js';
import { writeWholeFile } from '../files/write-whole-file.js';
import { verdictOf } from './verdict-of.js';
import { evalFileNames } from './eval-files.js';
import { gatherBySkill } from './gather-by-skill.js';
import type { ChosenReporter } from './read-reporters.js';
import { titleOf } from './title-of.js';

/** What reports are made of. */
export interface ReportContent {
  /** @default nothing was run */
  readonly report: EvalReport | undefined;
  readonly results: readonly EvalResult[];
  readonly baseline: readonly EvalResult[] | undefined;
  readonly ranks: RankReport | undefined;
  readonly rankComparison: RankComparison | undefined;
  readonly suites: readonly EvalSuite[];
}

/** A report that lies on the disk. */
export interface WrittenReport {
  readonly reporter: string;
  /** Absolute; of a layout of several files, the folder. */
  readonly path: string;
}

/**
 * Writes the reports that are wanted. Each is whole or is not there.
 *
 * @param out the folder of the results, where a report goes that has no place of its own.
 * @throws `IO_ERROR`; `USAGE` for a report that there is nothing for.
 */
export async function writeReports(
  reporters: readonly ChosenReporter[],
  content: ReportContent,
  out: string,
): Promise<readonly WrittenReport[]> {
  const written: WrittenReport[] = [];
  for (const { name, path } of reporters) {
    if (name === 'console') continue;
    if (name === 'agentskills' || name === 'skill-creator') {
      // Each has a folder of its own: side by side, they would look like two iterations.
      written.push({ reporter: name, path: await writeWorkspace(name, content, path ?? join(out, name)) });
      continue;
    }
    const place = path ?? join(out, evalFileNames[name === 'json' ? 'report' : name]);
    await writeText(place, await textOf(name, content));
    written.push({ reporter: name, path: place });
  }
  return written;
}

/** Writes a text, and makes the folder that it lies in. @throws `IO_ERROR`. */
export async function writeText(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  await writeWholeFile(path, new TextEncoder().encode(text));
}

async function textOf(name: 'json' | 'junit' | 'markdown' | 'html', content: ReportContent): Promise<string> {
  const { results, baseline, ranks, rankComparison } = content;
  if (name === 'markdown') {
    const parts = [
      ...(content.report === undefined ? [] : [renderReportMarkdown(content.report)]),
      ...(ranks === undefined ? [] : [renderRanksMarkdown(ranks, rankComparison)]),
    ];
    return parts.join('\n');
  }
  const report = content.report ?? onlyRanked(content);
  switch (name) {
    case 'json':
      return formatReport(report);
    case 'junit':
      return renderReportJunit(report, results, { ranks, rankComparison });
    case 'html':
      return renderReportHtml({ report, results, baseline, ranks, rankComparison }, { page: await reportPage() });
  }
}

/** A report of ranks alone: nothing was run, and the verdict is theirs. */
function onlyRanked({ ranks, rankComparison }: ReportContent): EvalReport {
  const suites = [...new Set(ranks?.queries.map(({ suite }) => suite))];
  const verdict = verdictOf({ report: undefined, ranks, rankComparison });
  return { ...scoreResults([], { title: titleOf(suites) }), verdict };
}

async function writeWorkspace(
  dialect: 'agentskills' | 'skill-creator',
  { report, results, suites }: ReportContent,
  folder: string,
): Promise<string> {
  if (suites.length === 0) {
    throw new SkillsError('USAGE', `The report ${dialect} tells the cases, and nobody says where they lie.`, {
      hint: 'Name their skills, or files, by --cases.',
    });
  }
  const models = report?.models ?? [];
  if (models.length === 0) {
    throw new SkillsError('USAGE', `The report ${dialect} tells of trials, and none was run.`, {
      hint: 'Ranks alone are told by console, markdown, json, junit and html.',
    });
  }
  const bySkill = gatherBySkill(suites, results);
  for (const model of models) {
    // Several models would stand in the same places.
    const place = models.length === 1 ? folder : join(folder, model.replaceAll(/[^\w.-]+/gu, '_'));
    const files = workspaceFiles(bySkill.results, {
      dialect,
      iteration: nextIteration(place),
      suites: bySkill.suites,
      model,
    });
    for (const { path, text } of files) await writeText(within(place, path), text);
  }
  return folder;
}

/** One more than the last that is there: what people said of earlier ones stays. */
function nextIteration(folder: string): number {
  const numbers = namesIn(folder)
    .filter((name) => name.endsWith('-workspace'))
    .flatMap((name) => namesIn(join(folder, name)))
    .map((name) => Number(/^iteration-(\d{1,6})$/u.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that is not there yet, or is none, has no iterations.
    return [];
  }
}

function within(folder: string, path: string): string {
  const place = resolve(folder, path);
  if (relative(folder, place).split(sep)[0] !== '..') return place;
  throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `The report would be written to ${place}, outside of ${folder}.`);
}
