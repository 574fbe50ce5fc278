import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock, Sha256 } from '@skillpack/core';
import { sha256 as sha256OfNode } from '@skillpack/runs-fs';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const { resolve } = createRequire(import.meta.url);

/** The ports that the page on the agent has for a browser, as it has them. */
async function portsOfPage(): Promise<{ readonly sha256: Sha256; readonly clock: Clock }> {
  const page = readFileSync(join(root, 'docs', 'agent.md'), 'utf8');
  const code = /### In a browser[\s\S]*?^```ts\n(?<code>[\s\S]*?)^```$/mu.exec(page)?.groups?.['code'] ?? '';
  const script = stripTypeScriptTypes(code).replaceAll(
    /from '(?<name>[^']+)'/gu,
    (_, name: string) => `from '${pathToFileURL(resolve(name)).href}'`,
  );
  // The module is the snippet, which the test of the pages compiles.
  return (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as Awaited<
    ReturnType<typeof portsOfPage>
  >;
}

test('the ports for a browser make the digests that those for Node make, of bytes and of texts', async () => {
  const { sha256 } = await portsOfPage();
  for (const data of ['', 'skill', 'Größe 漢字 👍', '\uD800', new Uint8Array([0, 255, 10])]) {
    expect(sha256(data)).toBe(sha256OfNode(data));
  }
});

test('the clock for a browser tells the time, and has timers that end and can be ended', async () => {
  const { clock } = await portsOfPage();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
  const ended = clock.startTimer!(1);
  await new Promise((done) => ended.signal.addEventListener('abort', done));
  const cleared = clock.startTimer!(60_000);
  cleared.clear();
  expect(cleared.signal.aborted).toBe(false);
});
