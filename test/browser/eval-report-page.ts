import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderReportHtml, type HtmlReport, type RenderHtmlOptions, type ReportPage } from '@skillpack/evals';
import { build } from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

const sources = join(import.meta.dirname, '..', '..', 'packages', 'evals', 'page');

/** The page of a report as its sources are now, built as `packages/evals/tsup.config.ts` builds it. */
export async function buildPage(): Promise<ReportPage> {
  const { outputFiles } = await build({
    entryPoints: [join(sources, 'report-page.ts'), join(sources, 'report-page.css')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    minify: true,
    outdir: sources,
    write: false,
  });
  const [script = '', style = ''] = ['.js', '.css'].map(
    (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '',
  );
  return { script, scriptHash: hashOf(script), style, styleHash: hashOf(style) };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** How a report is opened. */
export interface OpenReportOptions extends BrowserContextOptions {
  readonly browser: Browser;
  readonly page: ReportPage;
  /** What the address ends with, from `#`. */
  readonly hash?: string;
  readonly render?: Omit<RenderHtmlOptions, 'page'>;
}

/** A report in a page, opened from the disk. Whatever goes wrong in it, or is asked of a network, fails the test at its end. */
export async function openReport(
  content: HtmlReport,
  { browser, page: built, hash = '', render = {}, ...options }: OpenReportOptions,
): Promise<{ readonly page: Page; readonly url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-report-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'report.html');
  await writeFile(file, renderReportHtml(content, { page: built, ...render }));
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => wrong.push(message.text()));
  page.on('dialog', (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const url = pathToFileURL(file).href;
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url && !request.url().startsWith('data:')) wrong.push(`asks ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(url + hash);
  return { page, url };
}
