import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Only root becomes somebody who has no name.
test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
  'whoever has no name and no home has tools that write, too',
  () => {
    const file = join(import.meta.dirname, 'write-tools.ts');
    const sources = join(import.meta.dirname, '../../../../test/registry/resolve-sources.ts');
    const program = `
      const { createWriteTools } = await import(process.argv[1]);
      console.log(createWriteTools({ clock: { now: () => 0 } }, { workspace: '/srv' }).length);
    `;
    const words = ['--conditions=skillpack-source', '--import', sources, '--input-type=module', '-e', program, file];
    const options = { cwd: '/', encoding: 'utf8', env: {}, uid: 4_123_456, gid: 4_123_456 } as const;
    const { stdout, stderr } = spawnSync(process.execPath, words, options);
    // Where the sources lie in a home, nobody else reads them.
    if (stderr.includes('EACCES') || stderr.includes('EPERM')) return;
    expect(stdout, stderr).toBe('3\n');
  },
);
