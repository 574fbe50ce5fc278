import {
  planEvals,
  rankQueries,
  runEvals,
  scoreResults,
  type EvalResult,
  type HtmlReport,
  type ReportPage,
} from '@skillpack/evals';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRanks, makeResults } from '../../packages/evals/test/report-data.js';
import { builtinPorts, builtinSuites, scriptedModels } from '../evals/builtin-evals.js';
import { buildPage, openReport } from './eval-report-page.js';
import { openChromium, whyNoChromium } from './open-chromium.js';

const models = ['anthropic:claude-sonnet-4-5', 'openai:gpt-5-mini'];
const baseline = makeResults({ cases: 40, trials: 3, models, seed: 9, wrong: 0.08 });
const results = makeResults({ cases: 40, trials: 3, models });
const content: HtmlReport = {
  report: scoreResults(results, { title: 'documents, writing', baseline }),
  results,
  baseline,
  ranks: makeRanks(60).ranks,
  rankComparison: makeRanks(60).comparison,
};
const failing = results.find(
  ({ kind, outcome, arm }) => kind === 'task' && outcome === 'failed' && arm === 'with_skill',
)!;

function addressOf({ suite, case: name, model, arm, trial }: EvalResult, more: Readonly<Record<string, string>> = {}) {
  return `#${new URLSearchParams({ suite, case: name, by: model, in: arm, trial: String(trial), ...more }).toString()}`;
}

/** The names of the cases that the strip has in the page. */
async function casesIn(page: Page): Promise<readonly string[]> {
  return page.locator('.strip .row [role=rowheader] .id bdi').allTextContents();
}

const focusedRole = `document.activeElement?.getAttribute('role')`;

/** Whether what has the focus shows it, and is in the dialog. */
const focusSeen = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'nothing';
  if (focused.closest('dialog') === null) return 'outside: ' + focused.outerHTML.slice(0, 80);
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  return outlineStyle !== 'none' && outlineWidth !== '0px' ? 'seen' : 'unseen: ' + focused.outerHTML.slice(0, 80);
})()`;

const reason = whyNoChromium();
const title = 'the page of a report, in Chromium';

describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (left out: ${reason})`, () => {
  let browser: Browser;
  let built: ReportPage;
  beforeAll(async () => {
    [browser, built] = await Promise.all([openChromium(), buildPage()]);
  });
  afterAll(async () => browser.close());

  test('PSA-35: opens from the disk, asks nothing of a network, and shows the verdict with its reasons first', async () => {
    const { page } = await openReport(content, { browser, page: built });
    expect(await page.title()).toMatch(/: documents, writing$/u);
    const banner = page.locator('.banner');
    expect(await banner.locator('h2').textContent()).toMatch(/^(?:Failed|Incomplete)against the baseline: worse$/u);
    const reasons = await banner.locator('li').allTextContents();
    expect(reasons).toEqual(content.report.verdict.reasons);
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings.slice(1)).toEqual([
      'What was run',
      'Scores',
      'Against the baseline',
      'Wanted and chosen',
      'Cases and trials',
      'Ranking without a model',
    ]);
    expect(await page.getByRole('main').count()).toBe(1);
  });

  test('PSA-35: tiles show each number with its interval; what is compared has a tile of its own, all of one set', async () => {
    const { page } = await openReport(content, { browser, page: built });
    const recall = content.report.triggers[0]!.recall;
    const tile = page
      .locator('.scores')
      .first()
      .locator('.tile')
      .filter({ has: page.getByText('Recall', { exact: true }) });
    expect(await tile.locator('.value').textContent()).toBe(`${(recall.value! * 100).toFixed(1)} %`);
    expect(await tile.textContent()).toContain(`${recall.successes} of ${recall.total}`);
    expect(await tile.textContent()).toContain(`[${(recall.interval!.low * 100).toFixed(1)}, `);
    expect(await tile.locator('.change').count()).toBe(0);
  });

  test('PSA-35: what is undefined, or has no known price, is called so and has no bar', async () => {
    const unpriced = results.slice(0, 40).map((result): EvalResult => {
      const { cost: _cost, ...spent } = result.spent;
      return { ...result, fired: [], spent };
    });
    const report = scoreResults(unpriced, { title: 'silent' });
    const { page } = await openReport({ report, results: unpriced }, { browser, page: built });
    const precision = page.locator('.scores').first().locator('.tile').filter({ hasText: 'F1' });
    expect(await precision.locator('.value').textContent()).toBe('undefined');
    expect(await precision.locator('.track').count()).toBe(0);
    const cost = page.locator('#run .tile').filter({ hasText: 'Cost' });
    expect(await cost.locator('.value').textContent()).toBe('price not known');
    const judge = { calls: 1, inputTokens: 10, outputTokens: 1, cost: 0.5 };
    const [one] = unpriced;
    const single = [{ ...one!, spent: { ...one!.spent, turns: 1, judge } }];
    const alone = { report: scoreResults(single, { title: 'one' }), results: single };
    const { page: other } = await openReport(alone, { browser, page: built });
    expect(await other.locator('#run').textContent()).toContain('1 call of the judge: $0.50');
    expect(await other.locator('#run').textContent()).toContain('1 turn of a model');
  });

  test('PSA-35: what a search finds for queries that want nothing is a note, and no number among the scores', async () => {
    const keptAway = { successes: 1, total: 3, value: 1 / 3, interval: { low: 0.06, high: 0.79 } };
    const ranks = { ...makeRanks(60).ranks, keptAway };
    const { page } = await openReport({ ...content, ranks }, { browser, page: built });
    const tiles = await page.locator('#ranking .tile .label').allTextContents();
    expect(tiles).toEqual(['Found first', 'Among the first 5']);
    expect(await page.locator('#ranking > .note').last().textContent()).toMatch(
      /^For 1 of 3 queries that some skill is not for, no such skill is first\. That is no score/u,
    );
  });

  test('PSA-35: value, bar and change of what is compared are of the cases that both have, under a name of its own', async () => {
    const { page } = await openReport(content, { browser, page: built });
    const group = page.locator('.scores').first();
    const { model, arm } = content.report.triggers[0]!;
    const compared = content.report.comparison!.measures.filter((one) => one.model === model && one.arm === arm);
    const labels = await group.locator('.tile .label').allTextContents();
    expect(labels.filter((label) => label.endsWith(', compared'))).toEqual([
      'Pass rate of all cases, compared',
      'Recall, compared',
      'Specificity, compared',
    ]);
    expect(labels).toContain('Tasks passed');
    expect(await group.locator('.change').count()).toBe(3);
    const tiles = group.locator('.tile').filter({ has: page.locator('.change') });
    for (const [index, { before, after, pairs }] of compared.entries()) {
      const tile = tiles.nth(index);
      expect(await tile.locator('.value').textContent()).toBe(`${(after * 100).toFixed(1)} %`);
      expect(await tile.locator('.change').textContent()).toMatch(
        /^\S [−+±][\d.]+ from [\d.]+\u{A0}%: (?:worse|underpowered)$/u,
      );
      expect(await tile.locator('.change').textContent()).toContain(`from ${(before * 100).toFixed(1)}\u{A0}%`);
      expect(await tile.textContent()).toContain(`mean over the ${pairs} cases that both have`);
      const left = async (name: string) =>
        Number.parseFloat((await tile.locator(`.track .${name}`).getAttribute('style'))?.split('left: ')[1] ?? '');
      expect([await left('before'), await left('point')]).toEqual([
        expect.closeTo(before * 100, 3),
        expect.closeTo(after * 100, 3),
      ]);
    }
  });

  test('a long title is cut on the page, and whole in its tooltip', async () => {
    const long = `Evals of ${Array.from({ length: 60 }, (_unused, index) => `suite-${index}`).join(', ')}`;
    const report = { ...content.report, title: long };
    const { page } = await openReport({ ...content, report }, { browser, page: built });
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.textContent()).toBe(`${long.slice(0, 120)}…`);
    expect(await heading.getAttribute('title')).toBe(long);
  });

  test('the keyboard goes through cases and trials, opens one, goes on inside, and comes back to where it was', async () => {
    const { page } = await openReport(content, { browser, page: built });
    const marked = page.locator('.strip .row.marked [role=rowheader] .id bdi');
    const names = content.report.cases.map((score) => score.case);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    expect(await marked.textContent()).toBe(names[2]);
    const grid = page.getByRole('grid', { name: 'Cases and their trials' });
    const active = await grid.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-label')).toContain('trial 2: ');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    expect(await dialog.locator('.about').first().textContent()).toBe(`documents/${names[2]}`);
    expect(new URL(page.url()).hash).toContain('trial=2');
    await page.keyboard.press('j');
    expect(await dialog.locator('.about').first().textContent()).toBe(`writing/${names[3]}`);
    await page.keyboard.press('ArrowRight');
    expect(new URL(page.url()).hash).toContain('trial=3');
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(0);
    expect(new URL(page.url()).hash).toBe('');
    await expect.poll(async () => page.evaluate(focusedRole)).toBe('grid');
    expect(await marked.textContent()).toBe(names[3]);
    await page.keyboard.press('End');
    expect(await marked.textContent()).toBe(names.at(-1));
    await page.keyboard.press('/');
    await page.keyboard.type('slides j');
    expect(await page.getByRole('searchbox').inputValue()).toBe('slides j');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(focusedRole)).toBe('grid');
  });

  test('what has the focus can be seen, and the drawer keeps it until it is closed', async () => {
    const { page } = await openReport(content, { browser, page: built, hash: addressOf(failing) });
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const seen = await page.evaluate<string>(focusSeen);
      // After the last one the browser's own window has it for once.
      expect(['seen', 'nothing']).toContain(seen);
    }
  });

  test('filters narrow the strip by text, outcome, tag, model and arm, say what is left, and stand in the address', async () => {
    const { page, url } = await openReport(content, { browser, page: built });
    const status = page.locator('.filter [role=status]');
    expect(await status.textContent()).toBe('40 of 40 cases, 480 trials');
    await page.getByRole('searchbox').fill('release-notes 0004');
    expect(await casesIn(page)).toEqual(['works-with-release-notes-0004']);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Show one tag').selectOption({ label: 'near-miss' });
    const near = content.report.cases.filter(({ tags }) => tags.includes('near-miss')).map((score) => score.case);
    expect(await casesIn(page)).toEqual(near);
    await page.getByLabel('Show one tag').selectOption({ label: 'every tag' });
    await page.getByLabel('Show one model').selectOption({ label: 'openai:gpt-5-mini' });
    await page.getByLabel('Show one arm').selectOption({ label: 'with skill' });
    expect(await page.locator('.strip').getByRole('columnheader').count()).toBe(2);
    const errors = page.getByRole('button', { name: /^error/u });
    await errors.click();
    expect(await errors.getAttribute('aria-pressed')).toBe('true');
    const wanted = results.filter((result) => {
      return result.outcome === 'error' && result.model === 'openai:gpt-5-mini' && result.arm === 'with_skill';
    });
    const names = [...new Set(wanted.map((result) => result.case))];
    expect(names.length).toBeGreaterThan(0);
    expect(await casesIn(page)).toEqual(names);
    expect(await page.locator('.strip .trial:not(.pale)').count()).toBe(wanted.length);
    const { hash } = new URL(page.url());
    expect(hash).toBe('#outcome=error&model=openai%3Agpt-5-mini&arm=with_skill');
    await page.goto('about:blank');
    await page.goto(url + hash);
    expect(await casesIn(page)).toEqual(names);
    expect(await page.getByRole('button', { name: /^error/u }).getAttribute('aria-pressed')).toBe('true');
  });

  test('a cell of the matrix leads to its trials', async () => {
    const { page } = await openReport(content, { browser, page: built });
    const [score] = content.report.triggers;
    const cell = score!.confusion.find(({ wanted, fired }) => wanted !== null && fired !== null && wanted !== fired)!;
    await page.getByRole('button', { name: `${cell.count}: wanted ${cell.wanted}, chose ${cell.fired}` }).click();
    expect(await page.locator('.strip .trial:not(.pale)').count()).toBe(cell.count);
    expect(await page.locator('.confused').textContent()).toBe(`wanted ${cell.wanted}, chose ${cell.fired}`);
  });

  test('PSA-35: every number of the matrix leads to as many trials, also where several skills were wanted', async () => {
    const wants = (skills: readonly string[], all: boolean) => ({ skills, all, not: [] });
    const both = ['pdf', 'docx'];
    const made: readonly (readonly [wanted: NonNullable<EvalResult['wanted']>, fired: readonly string[]])[] = [
      [wants(both, true), ['docx']],
      [wants(both, true), ['docx', 'table']],
      [wants(both, true), []],
      [wants(both, false), ['pdf']],
      [wants(both, false), ['pdf', 'table']],
      [wants(both, false), []],
      [wants(['docx'], false), ['pdf']],
      [wants(['pdf'], false), []],
      [wants([], false), ['table', 'table']],
      [wants([], false), []],
      [wants(['docx'], false), ['docx', 'table']],
    ];
    const several = made.map(([wanted, fired], index): EvalResult => {
      const { key, model, ...result } = results.filter((one) => one.arm === 'with_skill')[index]!;
      return {
        ...result,
        key,
        model: models[0]!,
        case: `case-${index}`,
        kind: 'trigger',
        outcome: 'failed',
        wanted,
        fired,
      };
    });
    const report = scoreResults(several, { title: 'several' });
    const { page } = await openReport({ report, results: several }, { browser, page: built });
    const cells = report.triggers[0]!.confusion;
    expect(cells.length).toBeGreaterThan(6);
    expect(cells).toContainEqual({ wanted: 'pdf', fired: 'table', count: 2, allowed: 1 });
    expect(cells).toContainEqual({ wanted: 'docx', fired: 'table', count: 1, allowed: 1 });
    for (const { wanted, fired, count, allowed } of cells) {
      const mistakes =
        allowed === undefined ? '' : `; ${allowed === count ? 'none' : count - allowed} of them by mistake`;
      const name = `${count}: wanted ${wanted ?? 'none'}, chose ${fired ?? 'none'}${mistakes}`;
      const cell = page.getByRole('button', { name, exact: true });
      // What a case lets be chosen is not painted as a mistake.
      expect(await cell.locator('xpath=..').getAttribute('class')).toBe(
        wanted === fired ? 'right' : allowed === count ? 'allowed' : 'wrong',
      );
      await cell.click();
      expect([name, await page.locator('.strip .trial:not(.pale)').count()]).toEqual([name, count]);
    }
  });

  test('PSA-36: an address opens a trial with the step that broke a rule marked, and what the rule wanted beside it', async () => {
    const broken = failing.checks.find(({ verdict }) => verdict === 'failed')!;
    const hash = addressOf(failing, { step: String(broken.seq) });
    const { page } = await openReport(content, { browser, page: built, hash });
    const dialog = page.getByRole('dialog');
    const step = dialog.locator('.step.breaks');
    expect(await step.count()).toBe(1);
    expect(await step.getAttribute('data-seq')).toBe(String(broken.seq));
    expect(await step.locator('.label').textContent()).toContain('run_script');
    expect(await step.locator('.breach').textContent()).toBe(`✗ breaks: ${broken.text}${broken.evidence}`);
    expect(await step.getAttribute('class')).toContain('marked');
    expect(await page.evaluate<string>(`document.activeElement.closest('.step')?.className`)).toContain('breaks');
    // What failed stands first, with its evidence and a way to the step.
    const first = dialog.locator('.checks > li').first();
    expect(await first.textContent()).toContain(broken.evidence);
    expect(await dialog.locator('.waterfall > li').count()).toBe(failing.steps.length);
    expect(await dialog.locator('.spent').last().textContent()).toContain('$0.0');
    await step.locator('button').click();
    expect(await step.locator('pre').isVisible()).toBe(true);
  });

  test('going back closes what was opened', async () => {
    const { page } = await openReport(content, { browser, page: built });
    await page.locator('.strip .row').first().locator('.trial').nth(1).click();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.goBack();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goForward();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.mouse.click(20, 400);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('an address of what is not in the report says so', async () => {
    const hash = '#suite=documents&case=gone&by=x&in=with_skill&trial=1';
    const { page } = await openReport(content, { browser, page: built, hash });
    expect(await page.getByRole('dialog').textContent()).toContain('This report has no such trial.');
  });

  test('two runs of a case are laid beside each other with the same steps in one row', async () => {
    const old = baseline.find((result) => result.key === failing.key)!;
    const { page } = await openReport(content, { browser, page: built, hash: addressOf(failing) });
    const select = page.getByLabel('Lay another run beside this one');
    await select.selectOption({
      label: `baseline: ${old.model}, with skill, trial ${old.trial} (${old.outcome})`,
    });
    const rows = page.locator('table[aria-label="Steps of both"] tbody tr');
    const sides = await page.evaluate<readonly { kind: string; cells: readonly (string | undefined)[] }[]>(`
      [...document.querySelectorAll('table[aria-label="Steps of both"] tbody tr')].map((row) => ({
        kind: row.className,
        cells: [...row.querySelectorAll('td:not(.sign)')].map((cell) => cell.querySelector('bdi')?.textContent),
      }))`);
    expect(sides.flatMap(({ cells }) => cells[0] ?? [])).toEqual(failing.steps.map(({ label }) => label));
    expect(sides.flatMap(({ cells }) => cells[1] ?? [])).toEqual(old.steps.map(({ label }) => label));
    for (const { kind, cells } of sides) expect(kind === 'same').toBe(cells[0] === cells[1]);
    expect(sides.some(({ kind, cells }) => kind === 'right' && cells[1]?.startsWith('load_resource') === true)).toBe(
      true,
    );
    expect(await page.locator('.summary .changed th').allTextContents()).toContain('outcome');
    expect(new URL(page.url()).hash).toContain('beside=old%3Awith_skill%3A');
    await page.reload();
    expect(await rows.count()).toBe(sides.length);
  });

  test('who stole queries from whom is told where there is a ranking, and nothing is where there is none', async () => {
    const { page } = await openReport(content, { browser, page: built });
    expect(await page.locator('.theft').textContent()).toContain('docx took 2 queries from pdf');
    await page.getByText('All 60 queries').click();
    const first = page.locator('.queries .row').first();
    expect(await first.textContent()).toContain('not found');
    const { page: without } = await openReport({ report: content.report, results }, { browser, page: built });
    expect(await without.locator('#ranking').count()).toBe(0);
  });

  test('cases that differ from the baseline are marked in the strip', async () => {
    const { page } = await openReport(content, { browser, page: built });
    const changes = content.report.comparison!.changes.filter(({ case: name }) => name === 'works-with-docx-0002');
    expect(changes.length).toBeGreaterThan(0);
    const row = page.locator('.strip .row').nth(1);
    const groups = row.locator('.group');
    for (const [index, { model, arm }] of content.report.cases[1]!.cells.entries()) {
      const change = changes.find((known) => known.model === model && known.arm === arm);
      const told = await groups.nth(index).locator('.moved').allTextContents();
      expect(told.map((text) => text[0])).toEqual(
        change === undefined ? [] : [change.after < change.before ? '▼' : '▲'],
      );
    }
  });

  test('where no script runs, the verdict and its reasons are there all the same', async () => {
    const { page } = await openReport(content, { browser, page: built, javaScriptEnabled: false });
    expect(await page.locator('noscript h1').textContent()).toMatch(/^(?:Failed|Incomplete): documents, writing$/u);
    expect(await page.locator('noscript li').allTextContents()).toEqual(content.report.verdict.reasons);
  });

  test('a report of nothing opens', async () => {
    const report = scoreResults([], { title: 'nothing' });
    const { page } = await openReport({ report, results: [] }, { browser, page: built });
    expect(await page.locator('.banner').textContent()).toContain('Invalid');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('transcripts that do not fit are left out, of trials that passed first, and the page says so', async () => {
    const { page } = await openReport(content, {
      browser,
      page: built,
      hash: addressOf(failing),
      render: { maxBytes: 500_000 },
    });
    expect(await page.locator('.waterfall > li').count()).toBe(failing.steps.length);
    const told = await page.locator('#cases > .note').last().textContent();
    expect(told).toMatch(/^Of \d+ results the transcripts are left out/u);
    const passed = results.findLast(({ outcome }) => outcome === 'passed')!;
    await page.evaluate(`location.hash = ${JSON.stringify(addressOf(passed))}`);
    expect(await page.getByRole('dialog').textContent()).toContain('It was left out, so that this page stays small.');
  });

  test('PSA-36: a run that was really run is shown, with the step that broke a rule at the time at which it did', async () => {
    const read = (await builtinSuites('tasks')).filter(({ suite }) => suite.name === 'table-tasks');
    const [own] = read;
    // Each script of the skill is run where the rules of this suite forbid it.
    const cases = own!.suite.cases.slice(0, 2).map((one) => {
      const forbidden = { kind: 'forbidden', step: { action: 'run_script' } } as const;
      return { ...one, expected: { ...one.expected, actions: [forbidden] } };
    });
    const suites = [{ ...own!.suite, cases }];
    const ports = builtinPorts(read, scriptedModels);
    const plan = await planEvals(suites, ports, { models: ['scripted'] });
    const { results: real } = await runEvals({ suites, plan }, ports);
    expect(real.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    const report = scoreResults(real, { title: 'table', plan, suites });
    const ranks = await rankQueries(suites, ports);
    const { page } = await openReport({ report, results: real, ranks }, { browser, page: built });
    expect(await page.locator('.banner h2').textContent()).toBe('Failed');
    await page.locator('.strip .trial.failed').first().click();
    const dialog = page.getByRole('dialog');
    const step = dialog.locator('.step.breaks').first();
    expect(await step.locator('.label').textContent()).toMatch(/^run_script table scripts\//u);
    expect(await step.locator('.breach').textContent()).toContain('run_script');
    const labels = await dialog.locator('.step .label bdi').allTextContents();
    expect(labels).toEqual(real[0]!.steps.map(({ label }) => label));
    await dialog.locator('.checks > li').first().getByRole('button').click();
    expect(await dialog.locator('.step.marked.breaks').count()).toBe(1);
  });
});
