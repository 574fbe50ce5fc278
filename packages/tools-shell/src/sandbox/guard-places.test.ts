import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { makeConfinedSkill, noSandbox } from '../../test/sandbox-ground.js';
import { makeSkill, temporaryFolder, textOf } from '../../test/script-ground.js';
import { guardPlaces } from './guard-places.js';
import type { ConfinedProgram, Sandbox, ShownPlace } from './sandbox.js';

const stop = 'stopped';

/** What a sandbox is asked to show, where places are guarded. */
async function shownWith(program: Partial<ConfinedProgram>, places: readonly string[]): Promise<readonly ShownPlace[]> {
  let shown: readonly ShownPlace[] = [];
  // Cast: what is not asked for is not there.
  const sandbox = {
    confine: async (asked: ConfinedProgram) => {
      ({ shown } = asked);
      return stop;
    },
  } as unknown as Sandbox;
  const whole = { file: '/bin/sh', args: [], environment: {}, shown: [], own: '/own', workspace: '/', ...program };
  await guardPlaces(sandbox, () => places).confine(whole);
  return shown;
}

test('guards what lies in the workspace, by its own name, and nothing else', async () => {
  const workspace = temporaryFolder();
  const elsewhere = temporaryFolder();
  mkdirSync(join(workspace, 'runs'));
  symlinkSync(join(workspace, 'runs'), join(elsewhere, 'link'));
  const runs = join(workspace, 'runs');
  const places = [runs, join(elsewhere, 'link'), workspace, elsewhere, join(workspace, 'none')];
  expect(await shownWith({ workspace }, places)).toEqual([{ path: runs, from: runs }]);
});

test('leaves a folder that is shown already to whoever shows it', async () => {
  const workspace = temporaryFolder();
  const skill = join(workspace, 'skill');
  mkdirSync(skill);
  const shown = [{ path: skill, from: '/held' }];
  expect(await shownWith({ workspace, shown }, [skill])).toEqual(shown);
});

test('a relative place is refused', async () => {
  const confine = shownWith({ workspace: temporaryFolder() }, ['runs']);
  await expect(confine).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('“runs”') });
});

test('protected places without a sandbox are refused, rather than left open', async () => {
  const { run } = makeSkill({ 'a.sh': 'true' });
  await expect(run('a.sh', {}, { protected: () => [] })).rejects.toMatchObject({ code: 'USAGE' });
});

describe.skipIf(noSandbox !== undefined)(`in a sandbox of bubblewrap ${noSandbox ?? ''}`, () => {
  test('a script reads what is protected, and writes beside it', async () => {
    const line =
      'cat runs/1/events; (echo forged >> runs/1/events) 2>/dev/null || echo kept; rm -rf runs 2>/dev/null; echo beside > beside';
    const { run, workspace } = makeConfinedSkill({ 'try.sh': line });
    mkdirSync(join(workspace, 'runs', '1'), { recursive: true });
    writeFileSync(join(workspace, 'runs', '1', 'events'), 'said\n');
    const { stdout } = await run('try.sh', {}, { protected: () => [join(workspace, 'runs')] });
    expect(textOf(stdout)).toBe('said\nkept\n');
    expect(readFileSync(join(workspace, 'runs', '1', 'events'), 'utf8')).toBe('said\n');
    expect(readFileSync(join(workspace, 'beside'), 'utf8')).toBe('beside\n');
  });
});
