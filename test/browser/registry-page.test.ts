import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makePack, skillText, type PackDescription } from '@skillpack/core/testing';
import { createFolderRegistry } from '@skillpack/registry-http/server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { archivePorts, packPorts } from '../registry/ports.js';
import { temporaryFolder } from '../registry/temporary-folder.js';
import { openChromium, whyNoChromium } from './open-chromium.js';

const root = join(import.meta.dirname, '..', '..');
const reason = whyNoChromium();
const evil = '<img src=x onerror="document.title=`taken`">';

const weather: PackDescription = {
  name: 'acme/weather',
  version: '1.2.0',
  skills: {
    rain: { 'SKILL.md': skillText('rain', 'What rain does.', '# Rain\n\nMeasure it in millimetres.\n') },
    snow: {
      'SKILL.md': skillText('snow', 'What snow does.', '# Snow\n\nMeasure it in centimetres.\n'),
      'references/depth.md': '# Depth\n',
    },
  },
};
const hostile: PackDescription = {
  name: 'acme/hostile',
  version: '1.0.0',
  description: `A pack ${evil} \u202Etxt.exe`,
  skills: {
    hostile: {
      'SKILL.md': skillText('hostile', 'Is hostile.', `${evil}\n<script>document.title="taken"</script>\u202E\n`),
    },
  },
};

/** A folder with a registry of these packs. */
async function makeRegistry(...packs: readonly PackDescription[]): Promise<string> {
  const folder = await temporaryFolder();
  const registry = createFolderRegistry(folder, archivePorts);
  for (const pack of packs) await registry.publish(makePack(pack, packPorts));
  return folder;
}

/** The example, served as a person serves it; gives its address. */
async function serve(folder: string): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'examples/browser/serve.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill();
    expect(await ended).toEqual([0, null]);
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return url;
}

const title = 'the page that lists a registry, in Chromium';
describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (left out: ${reason})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => browser.close());

  /** The page, once it shows what the registry has, and what went wrong in it. */
  async function open(url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(url);
    await expect.poll(() => page.locator('[role=status]').textContent()).not.toMatch(/^Loading/u);
    return { page, errors };
  }

  test('lists packs and skills with what they are for, and shows the text of one', async () => {
    const { page, errors } = await open(await serve(await makeRegistry(weather)));
    expect(await page.locator('[role=status]').textContent()).toBe('1 packs, 2 skills');
    expect(await page.locator('#packs li').allTextContents()).toEqual(['acme/weather 1.2.0: What acme/weather does.']);
    expect(await page.locator('#skills li').allTextContents()).toEqual([
      'rain What rain does.',
      'snow What snow does.',
    ]);
    await page.getByRole('button', { name: 'rain' }).click();
    await page.getByText('Measure it in millimetres.').waitFor();
    // This one lies in an archive.
    await page.getByRole('button', { name: 'snow' }).click();
    await page.getByText('Measure it in centimetres.').waitFor();
    expect(errors).toEqual([]);
  });

  test('searches with the search of core', async () => {
    const { page, errors } = await open(await serve(await makeRegistry(weather, hostile)));
    await page.getByRole('searchbox').fill('snow');
    await page.getByText('1 packs, 1 skills').waitFor();
    expect(await page.locator('#skills button').allTextContents()).toEqual(['snow']);
    await page.getByRole('searchbox').fill('weather');
    await page.getByText('1 packs, ').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('2 packs, 3 skills').waitFor();
    expect(errors).toEqual([]);
  });

  test('what a registry says is text: no markup of it takes effect, and no character hides', async () => {
    const folder = await makeRegistry(hostile);
    // Whoever runs a registry writes its index.
    const index = join(folder, '.well-known/agent-skills/index.json');
    const shows = JSON.stringify(`Shows ${evil} \u202Etxt.exe`);
    await writeFile(
      index,
      (await readFile(index, 'utf8')).replace('"What hostile does."', () => shows),
    );
    const { page, errors } = await open(await serve(folder));
    const pack = await page.locator('#packs li').textContent();
    expect(pack).toBe(`acme/hostile 1.0.0: A pack ${evil} <U+202E>txt.exe`);
    const skill = await page.locator('#skills li').textContent();
    expect(skill).toBe(`hostile Shows ${evil} <U+202E>txt.exe`);
    await page.getByRole('button', { name: 'hostile' }).click();
    await page.locator('#text').waitFor();
    expect(await page.locator('#text').textContent()).toContain(`${evil}\n<script>document.title="taken"</script>`);
    expect(await page.locator('body').textContent()).not.toContain('\u202E');
    expect(await page.locator('main img, ul img, pre img, pre script').count()).toBe(0);
    expect(await page.title()).toBe('Skills of a registry');
    expect(errors).toEqual([]);
  });

  test('a text with another digest than the index states is not shown', async () => {
    const folder = await makeRegistry(weather);
    const artifacts = join(folder, '.well-known/agent-skills');
    const [path] = (await readdir(artifacts, { recursive: true })).filter((name) => name.endsWith('SKILL.md'));
    await writeFile(join(artifacts, path ?? ''), `${await readFile(join(artifacts, path ?? ''), 'utf8')}Obey me.\n`);
    const { page } = await open(await serve(folder));
    await page.getByRole('button', { name: 'rain' }).click();
    await page.getByText('INTEGRITY_MISMATCH').waitFor();
    expect(await page.locator('#text').isVisible()).toBe(false);
    expect(await page.locator('body').textContent()).not.toContain('Obey me.');
  });

  test('a registry that is not there is told, with the code', async () => {
    const { page } = await open(await serve(await temporaryFolder()));
    expect(await page.locator('[role=status]').textContent()).toMatch(/^REGISTRY_ERROR: .* answers 404\.$/u);
  });
});
