import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveScript } from '../compose/serve-script.js';
import { openChromium, whyNoChromium } from './open-chromium.js';

const reason = whyNoChromium();
const title = 'an agent in a page, in Chromium';

/** The page with its program: what a browser needs to run the agent, and nothing of Node. */
async function bundle(): Promise<Readonly<Record<string, { type: string; body: string }>>> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'run-agent.ts')],
    bundle: true,
    format: 'esm',
    conditions: ['skillpack-source'],
    write: false,
  });
  return {
    '/': {
      type: 'text/html',
      body: '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/main.js"></script>',
    },
    '/main.js': { type: 'text/javascript', body: outputFiles[0]?.text ?? '' },
  };
}

describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (left out: ${reason})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => browser.close());

  test('reads a skill, calls a tool and answers with a model that it reaches by fetch; its record replays', async () => {
    const { asked, url } = await serveScript(
      [
        { action: { kind: 'select_skills', skills: [{ name: 'tea' }], reason: 'It makes tea.' } },
        { action: { kind: 'call_tool', tool: 'timer', input: { minutes: 4 } } },
        { action: { kind: 'final_answer', content: 'The tea is ready.' } },
      ],
      await bundle(),
    );
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const told = page.waitForEvent('console', (message) => message.type() === 'log');
    await page.goto(new URL('/', url).href);
    expect(JSON.parse((await told).text())).toEqual({
      text: 'The tea is ready.',
      done: ['select_skills done', 'call_tool done', 'final_answer done'],
      same: true,
    });
    expect(asked).toHaveLength(3);
    expect(errors).toEqual([]);
  });
});
