import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SkillsError } from '@skillpack/core';
import type { ReportPage } from './html-report.js';

/**
 * Script and style of the page that `renderReportHtml` makes, from the files that come with this package.
 *
 * @throws `FILE_NOT_FOUND` where they are not there.
 */
export async function reportPage(): Promise<ReportPage> {
  const [script, style] = await Promise.all([readBuilt('report-page.js'), readBuilt('report-page.css')]);
  return { script, scriptHash: hashOf(script), style, styleHash: hashOf(style) };
}

/** The file lies beside the built program; the sources are read with what was built of them last. */
async function readBuilt(name: string): Promise<string> {
  const places = [new URL(name, import.meta.url), new URL(`../../dist/${name}`, import.meta.url)];
  for (const place of places) {
    try {
      return await readFile(place, 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  throw new SkillsError('FILE_NOT_FOUND', `${name}, which the page of a report needs, is not there.`, {
    hint: 'Install the package anew; in a workspace, build it.',
    data: { file: name },
  });
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
