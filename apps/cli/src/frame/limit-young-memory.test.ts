import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/**
 * What V8 takes for young objects, in bytes, before and after many have outlived several collections: how it grows
 * hangs on how many bytes outlive one, and not on time.
 */
function youngMemory(limited: boolean): { readonly before: number; readonly after: number } {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${limited ? `import { limitYoungMemory } from ${JSON.stringify(new URL('limit-young-memory.ts', import.meta.url).href)};` : ''}
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    ${limited ? 'limitYoungMemory();' : ''}
    const before = young();
    let after = before;
    const alive = new Array(50_000);
    for (let count = 0; count < 2_000_000; count += 1) {
      alive[count % alive.length] = { count, text: [count] };
      if (count % 100_000 === 0) after = Math.max(after, young());
    }
    console.log(JSON.stringify({ before, after }));
  `;
  // Its own process: what has grown stays.
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as ReturnType<typeof youngMemory>;
}

test('the memory for young objects stays what it was, which would otherwise become several times as much', () => {
  const free = youngMemory(false);
  expect(free.after).toBeGreaterThanOrEqual(4 * free.before);
  const limited = youngMemory(true);
  expect(limited.after).toBeLessThanOrEqual(2 * limited.before);
});
