import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/**
 * What V8 takes at most for young objects, in bytes, while many outlive several collections: how it grows hangs on how
 * many bytes outlive one, and not on time.
 */
function mostYoung(limited: boolean): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${limited ? `import { limitYoungMemory } from ${JSON.stringify(new URL('limit-young-memory.ts', import.meta.url).href)};` : ''}
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    ${limited ? 'limitYoungMemory();' : ''}
    let most = young();
    const alive = new Array(50_000);
    for (let count = 0; count < 2_000_000; count += 1) {
      alive[count % alive.length] = { count, text: [count] };
      if (count % 100_000 === 0) most = Math.max(most, young());
    }
    console.log(most);
  `;
  // Its own process: what has grown stays.
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('the memory for young objects does not become what it otherwise would', () => {
  // On Node 24, 64 MiB from 1, and 4 at most.
  expect(4 * mostYoung(true)).toBeLessThanOrEqual(mostYoung(false));
});
