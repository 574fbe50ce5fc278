import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findSandbox } from './find-sandbox.js';

/** What comes of a program that is to be started in a workspace. */
async function startIn(workspace: string, path: string): Promise<unknown> {
  const { sandbox } = await findSandbox({ environment: { PATH: path } }, { workspace, candidates: ['bubblewrap'] });
  if (sandbox === undefined) return 'nothing confines it';
  const program = { file: '/bin/sh', args: [], workspace, environment: {}, shown: [], own: workspace };
  return sandbox.confine(program).then(
    () => 'confined',
    (error: unknown) => error,
  );
}

test.skipIf(process.platform !== 'linux')(
  'PSA-23: where what confines lies in the workspace, nothing is started there, and nothing unconfined either',
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'find-sandbox-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'bin'));
    const started = join(folder, 'started');
    writeFileSync(join(folder, 'bin', 'bwrap'), `#!/bin/sh\necho > '${started}'\n`, { mode: 0o755 });
    const wanted = { code: 'TOOL_NOT_ALLOWED' };
    expect(await startIn(folder, join(folder, 'bin'))).toMatchObject({
      ...wanted,
      message: `“${join(folder, 'bin', 'bwrap')}”, which makes the sandbox, lies in the folder “${folder}”, which scripts write to.`,
    });
    for (const workspace of ['/', '/usr']) {
      expect(await startIn(workspace, '/usr/bin:/bin:/usr/sbin:/sbin')).toMatchObject({
        ...wanted,
        message: expect.stringMatching(/has to hide|makes the sandbox/u),
      });
    }
    expect(await startIn(folder, '/nowhere')).toBe('nothing confines it');
    expect(existsSync(started)).toBe(false);
  },
);
