import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder, windows } from '../../test/script-ground.js';
import { seenPath, showProgram } from './shown-program.js';

/** A file that can be started, with the folders around it. */
function makeProgram(folder: string, path: string, text = ''): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const same = (path: string) => ({ path, from: path });

describe.skipIf(windows)('how a program is shown', () => {
  test('one of the system needs nothing', () => {
    const sh = realpathSync('/bin/sh');
    const surroundings = { seen: ['/usr', '/bin'], hidden: ['/home/me'], workspace: '/w' };
    expect(showProgram('/bin/sh', surroundings)).toEqual({ file: sh, places: [] });
  });

  test('of another one its file is shown, and the folder around it where it needs that, but never a home', () => {
    const home = temporaryFolder();
    const surroundings = { seen: ['/usr'], hidden: [home], workspace: '/w' };
    const shown = (path: string): readonly { readonly path: string }[] =>
      showProgram(makeProgram(home, path), surroundings).places;
    expect(shown('node/v24/bin/node')).toEqual([same(join(home, 'node/v24/bin/node'))]);
    expect(shown('pythons/3.12/bin/python3.12')).toEqual([same(join(home, 'pythons/3.12'))]);
    expect(shown('.local/bin/python3')).toEqual([same(join(home, '.local/bin/python3'))]);
    expect(shown('bin/python3')).toEqual([same(join(home, 'bin/python3'))]);
    expect(shown('odd/python3')).toEqual([same(join(home, 'odd/python3'))]);
  });

  test('a folder in which others keep what is theirs is not shown either', () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = temporaryFolder();
    const program = makeProgram(folder, 'bin/python3');
    const shown = () => showProgram(program, { seen: ['/usr'], hidden: [], workspace: '/w' }).places;
    expect(shown()).toEqual([same(folder)]);
    vi.stubEnv('TMPDIR', join(folder, 'temporary'));
    expect(shown()).toEqual([same(program)]);
  });

  test('a virtual environment is shown with the Python that it is of', () => {
    const home = temporaryFolder();
    const python = makeProgram(home, 'pythons/3.12/bin/python3.12');
    const surroundings = { seen: ['/usr'], hidden: [home], workspace: join(home, 'w') };
    for (const place of ['w/.venv', 'venv']) {
      makeProgram(home, `${place}/pyvenv.cfg`);
      mkdirSync(join(home, place, 'bin'));
      writeFileSync(join(home, place, '.env'), 'TOKEN=secret');
      const started = join(home, place, 'bin/python');
      symlinkSync(python, started);
      expect(showProgram(started, surroundings)).toEqual({
        file: started,
        places: [
          same(join(home, place, 'bin')),
          same(join(home, place, 'pyvenv.cfg')),
          same(join(home, 'pythons/3.12')),
        ],
      });
    }
  });

  test('a script that stands for an interpreter is asked where that is, but not one of the workspace', () => {
    const home = temporaryFolder();
    const python = makeProgram(home, 'pythons/3.12/bin/python3.12');
    const shim = `#!/bin/sh\ntouch "${home}/asked-$(basename "$0")"\necho ${python}\n`;
    const surroundings = { seen: ['/usr'], hidden: [home], workspace: join(home, 'w') };
    expect(showProgram(makeProgram(home, 'shims/python3', shim), surroundings)).toEqual({
      file: python,
      places: [same(join(home, 'pythons/3.12'))],
    });
    const planted = makeProgram(home, 'w/shims/python3.12', shim);
    expect(showProgram(planted, surroundings)).toEqual({ file: planted, places: [same(planted)] });
    const broken = makeProgram(home, 'shims/python', '#!/bin/sh\nexit 1\n');
    expect(showProgram(broken, surroundings).file).toBe(broken);
  });

  test('of a PATH, what is seen is left, and what is shown by itself comes first', () => {
    const path = '/usr/bin:/home/me/bin:relative:/w/bin:/home/me/node/bin';
    expect(seenPath(path, ['/home/me/py/bin/python3', '/usr/bin/node'], ['/usr', '/w'])).toBe(
      '/home/me/py/bin:/usr/bin:/w/bin',
    );
  });
});
