import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  awaitPid,
  entryAt,
  here,
  isAlive,
  linux,
  long,
  makeSkill,
  never,
  pidOf,
  refusal,
  runOutOfTime,
  tellPid,
  textOf,
  windows,
  withoutPrlimit,
} from '../../test/script-ground.js';
import { holdSkill } from './hold-skill.js';
import { createProcessRunner } from './process-runner.js';

describe('how a script ends', () => {
  test('PSA-24: an exit code is an outcome, with all that was written', async () => {
    const { run } = makeSkill({
      'scripts/fail.mjs': 'console.log("out"); console.error("err"); process.exitCode = 3;',
    });
    const outcome = await run('scripts/fail.mjs');
    expect(outcome).toMatchObject({ runner: 'process', exitCode: 3, signal: undefined, timedOut: false });
    expect([textOf(outcome.stdout), textOf(outcome.stderr)]).toEqual(['out\n', 'err\n']);
    expect(outcome.stdout.cut).toBeUndefined();
  });

  test('PSA-24: too long a time is an outcome, with what was written until then', long, async () => {
    const { run } = makeSkill({ 'slow.mjs': 'console.log("begun"); setInterval(() => {}, 1000);' });
    const outcome = await runOutOfTime(async (timeout) => run('slow.mjs', { timeout }));
    expect(outcome).toMatchObject({
      timedOut: true,
      exitCode: undefined,
      signal: windows ? expect.anything() : 'SIGTERM',
    });
    expect(textOf(outcome.stdout)).toBe('begun\n');
  });

  test.skipIf(windows)('one that does not heed SIGTERM is killed after the grace', long, async () => {
    const { run } = makeSkill({ 'stubborn.sh': 'trap "" TERM\necho begun\nwhile :; do sleep 1; done\n' });
    const outcome = await runOutOfTime(async (timeout) => run('stubborn.sh', { timeout }));
    expect(outcome).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
  });

  test.skipIf(windows)('a signal from elsewhere is an outcome', async () => {
    const { run } = makeSkill({ 'die.sh': 'kill -SEGV $$\n' });
    expect(await run('die.sh')).toMatchObject({ exitCode: undefined, signal: 'SIGSEGV', timedOut: false });
  });

  test('AGIO-21: an aborted signal ends the script, and is INTERRUPTED', async () => {
    const { run, workspace } = makeSkill({
      'wait.mjs':
        'import { writeFileSync } from "node:fs"; writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);',
    });
    const controller = new AbortController();
    const running = refusal(run('wait.mjs', { signal: controller.signal }));
    const file = join(workspace, 'pid');
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '', { timeout: 60_000 }).toBe(true);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    controller.abort();
    expect(await running).toBe('INTERRUPTED');
    expect(isAlive(pid)).toBe(false);
    expect(await refusal(run('wait.mjs', { signal: AbortSignal.abort() }))).toBe('INTERRUPTED');
  });

  test.skipIf(windows)('where this process ends first, the script and its folder end with it', long, async () => {
    const { run, workspace } = makeSkill({
      'wait.sh': 'touch $HOME/left\necho $HOME > home\nmv home begun\nwhile :; do sleep 1; done\n',
    });
    const before = process.listeners('exit');
    const running = run('wait.sh', { timeout: Infinity });
    await expect.poll(() => existsSync(join(workspace, 'begun')), { timeout: 60_000 }).toBe(true);
    const added = () => process.listeners('exit').filter((listener) => !before.includes(listener));
    await expect.poll(() => added().length, { timeout: 60_000 }).toBe(1);
    const own = readFileSync(join(workspace, 'begun'), 'utf8').trim();
    expect(existsSync(join(own, 'left'))).toBe(true);
    added()[0]?.(0);
    // At once: nothing runs any more that could do it later.
    expect(existsSync(own)).toBe(false);
    expect(await running).toMatchObject({ signal: 'SIGKILL', timedOut: false });
    expect(process.listeners('exit')).toEqual(before);
  });

  test.skipIf(windows)('nor is a link in the place of its folder followed then', long, async () => {
    const { run, workspace } = makeSkill({
      'link.sh':
        'rmdir "$HOME" && ln -s "$PWD/work" "$HOME"\necho "$HOME" > home\nmv home begun\nwhile :; do sleep 1; done\n',
    });
    mkdirSync(join(workspace, 'work', 'deep'), { recursive: true });
    const before = process.listeners('exit');
    const running = run('link.sh', { timeout: Infinity });
    await expect.poll(() => existsSync(join(workspace, 'begun')), { timeout: 60_000 }).toBe(true);
    const added = () => process.listeners('exit').filter((listener) => !before.includes(listener));
    await expect.poll(() => added().length, { timeout: 60_000 }).toBe(1);
    added()[0]?.(0);
    expect(await running).toMatchObject({ signal: 'SIGKILL' });
    expect(readdirSync(join(workspace, 'work'))).toEqual(['deep']);
    const own = readFileSync(join(workspace, 'begun'), 'utf8').trim();
    expect(lstatSync(own, { throwIfNoEntry: false })).toBeUndefined();
  });

  test.skipIf(windows)(
    'where one of two scripts has ended, the other one still ends with this process',
    long,
    async () => {
      const { run, workspace } = makeSkill({
        'wait.sh': 'touch begun\nwhile :; do sleep 1; done\n',
        'end.sh': 'until test -e begun; do sleep 0.01; done\n',
      });
      const before = process.listeners('exit');
      const running = run('wait.sh', { timeout: Infinity });
      expect(await run('end.sh', { timeout: Infinity })).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(workspace, 'begun'))).toBe(true);
      const added = () => process.listeners('exit').filter((listener) => !before.includes(listener));
      await expect.poll(() => added().length, { timeout: 60_000 }).toBe(1);
      added()[0]?.(0);
      expect(await running).toMatchObject({ signal: 'SIGKILL', timedOut: false });
      expect(process.listeners('exit')).toEqual(before);
    },
  );

  test('whoever waits for it is told how long it may take to stop a script', () => {
    const ports = { environment: process.env };
    const { timeToStop } = createProcessRunner(ports, { workspace: tmpdir(), grace: 5_000 });
    expect(timeToStop).toBeGreaterThan(5_000);
    expect(createProcessRunner(ports, { workspace: tmpdir() }).timeToStop).toBeLessThanOrEqual(3_000);
  });

  test.skipIf(windows)('who heeds SIGTERM has the grace to end as it likes', long, async () => {
    const { run, workspace } = makeSkill({
      'tidy.sh': 'trap "sleep 0.5; echo tidy; exit 7" TERM\ntouch begun\nwhile :; do sleep 0.05; done\n',
    });
    const outcome = await runOutOfTime(
      async (timeout) => run('tidy.sh', { timeout }, { grace: 60_000 }),
      () => existsSync(join(workspace, 'begun')),
    );
    expect(outcome).toMatchObject({ timedOut: true, exitCode: 7, signal: undefined });
    expect(textOf(outcome.stdout)).toBe('tidy\n');
  });

  test('an abort in the moment in which a script starts is not missed', async () => {
    const { run } = makeSkill({ 'wait.mjs': 'setInterval(() => {}, 1000);' });
    const controller = new AbortController();
    const running = refusal(run('wait.mjs', { signal: controller.signal, timeout: Infinity }));
    controller.abort();
    expect(await running).toBe('INTERRUPTED');
  });

  test('many scripts at once are no leak of listeners', { timeout: 120_000 }, async () => {
    const { run, workspace } = makeSkill({
      'a.mjs':
        'import { existsSync, writeFileSync } from "node:fs"; writeFileSync(process.argv[2], ""); while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20));',
    });
    const before = process.listenerCount('exit');
    const warnings: string[] = [];
    const warn = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warn);
    onTestFinished(() => void process.removeListener('warning', warn));
    const running = Array.from({ length: 12 }, async (_, index) =>
      run('a.mjs', { args: [String(index)], timeout: Infinity }),
    );
    await expect.poll(() => readdirSync(workspace).length, { timeout: 60_000 }).toBe(12);
    await expect.poll(() => process.listenerCount('exit')).toBe(before + 1);
    writeFileSync(join(workspace, 'go'), '');
    await Promise.all(running);
    expect(warnings).toEqual([]);
    expect(process.listenerCount('exit')).toBe(before);
  });

  test.skipIf(windows)('whatever it left running in its group ends with it', async () => {
    const { run } = makeSkill({ 'leave.sh': 'sleep 1000 &\necho $!\n' });
    const { stdout, exitCode } = await run('leave.sh');
    expect(exitCode).toBe(0);
    expect(isAlive(pidOf(stdout))).toBe(false);
  });

  test.skipIf(!linux)(
    'a child that goes into a session of its own ends with it, also when the time is over',
    long,
    async () => {
      const { run } = makeSkill({
        'hide.sh': `setsid sh -c "${tellPid('hidden')}; exec sleep 100" < /dev/null &\n${awaitPid('hidden')}`,
        'stay.sh': 'setsid -w sh -c "trap : TERM; echo \\$\\$; while :; do sleep 1; done"\n',
        'double.sh': `(setsid sh -c "${tellPid('double')}; exec sleep 100" > none 2>&1 &)\n${awaitPid('double')}`,
      });
      for (const script of ['hide.sh', 'stay.sh', 'double.sh']) {
        const { stdout } =
          script === 'stay.sh' ? await runOutOfTime(async (timeout) => run(script, { timeout })) : await run(script);
        const pid = Number(textOf(stdout));
        expect(pid, script).toBeGreaterThan(1);
        expect(isAlive(pid), script).toBe(false);
      }
    },
  );
});

describe('what a script writes', () => {
  test('the beginning and the end of much output are kept, and all of it is counted', async () => {
    const { run } = makeSkill({
      'much.mjs': 'for (let line = 0; line < 100000; line += 1) process.stdout.write(`${line}\\n`);',
    });
    const { stdout } = await run('much.mjs', {}, { streamBytes: 20 });
    expect(stdout).toMatchObject({ size: 588_890, cut: 10 });
    expect(textOf(stdout)).toBe('0\n1\n2\n3\n4\n998\n99999\n');
  });

  test.skipIf(windows)('a script may write to /dev/stdout and /dev/stderr', async () => {
    const { run } = makeSkill({ 'devices.sh': 'echo one > /dev/stdout\necho two | tee /dev/stderr\n' });
    const { stdout, stderr } = await run('devices.sh');
    expect([textOf(stdout), textOf(stderr)]).toEqual(['one\ntwo\n', 'two\n']);
  });

  test.skipIf(windows)('where no pipe can be made, what it writes arrives all the same', async () => {
    const { run } = makeSkill({ 'a.mjs': 'console.log("out"); console.error("err");' });
    const { stdout, stderr } = await run('a.mjs', {}, { environment: { PATH: '/none' } });
    expect([textOf(stdout), textOf(stderr)]).toEqual(['out\n', 'err\n']);
  });

  test.skipIf(windows)('a gigabyte takes no memory', { timeout: 120_000 }, async () => {
    const { run } = makeSkill({ 'flood.sh': 'head -c 1073741824 /dev/zero; echo end >&2\n' });
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const { stdout, stderr } = await run('flood.sh', { timeout: 110_000 }, { streamBytes: 1_000 });
    clearInterval(watch);
    expect(stdout.size).toBe(1_073_741_824);
    expect(stdout.bytes).toHaveLength(1_000);
    expect(textOf(stderr)).toBe('end\n');
    expect(most - before).toBeLessThan(200 * 1024 * 1024);
  });
});

describe('what a script is given', () => {
  test('arguments arrive as they are: no shell reads them', async () => {
    const { run, workspace } = makeSkill({ 'args.mjs': 'console.log(JSON.stringify(process.argv.slice(2)));' });
    const args = ['$(touch owned)', '; touch owned', '`touch owned`', "it's", '', '--eval=1', '*', 'ü\n'];
    const { stdout, command } = await run('args.mjs', { args });
    expect(JSON.parse(textOf(stdout))).toEqual(args);
    expect(command.slice(2)).toEqual(args);
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('few variables, no token among them; a home and a temporary folder of its own, which are gone afterwards', async () => {
    const { run } = makeSkill({ 'env.mjs': 'console.log(JSON.stringify(process.env));' });
    const environment = {
      PATH: `${process.env['PATH']}:.:relative`,
      HOME: '/home/somebody',
      LC_ALL: 'C.UTF-8',
      AWS_SECRET_ACCESS_KEY: 'secret',
      GITHUB_TOKEN: 'secret',
      TOKEN: 'secret',
      PATH_TOKEN: 'secret',
      LC_: 'secret',
      TZ_TOKEN: 'secret',
      NODE_OPTIONS: '--inspect',
      LD_PRELOAD: '/evil.so',
      ALLOWED: 'yes',
    };
    const { stdout } = await run(
      'env.mjs',
      {},
      { environment, variables: ['ALLOWED', 'ABSENT'], set: { MODE: 'test' } },
    );
    const given = JSON.parse(textOf(stdout)) as Record<string, string>;
    const names = ['ALLOWED', 'HOME', 'LC_ALL', 'MODE', 'PATH', 'PYTHONDONTWRITEBYTECODE', 'SKILLPACK_RUN', 'TEMP'];
    expect(Object.keys(given).toSorted()).toEqual([...names, 'TERM', 'TMP', 'TMPDIR', 'USERPROFILE']);
    expect(given).toMatchObject({ TERM: 'dumb', LC_ALL: 'C.UTF-8', ALLOWED: 'yes', MODE: 'test' });
    expect(given['HOME']).toBe(given['TMPDIR']);
    expect(given['HOME']).not.toBe('/home/somebody');
    expect(given['PATH']!.split(':').every((folder) => folder.startsWith('/'))).toBe(true);
    expect(existsSync(given['TMPDIR']!)).toBe(false);
  });

  test.skipIf(!linux)('what a script starts under a runner of its own is found too', async () => {
    const { run } = makeSkill({
      'nested.sh': `SKILLPACK_RUN="$SKILLPACK_RUN,inner" setsid sh -c "${tellPid('pid')}; exec sleep 100" < /dev/null &\n${awaitPid('pid')}`,
      'env.sh': 'echo "$SKILLPACK_RUN"\n',
    });
    expect(isAlive(pidOf((await run('nested.sh')).stdout))).toBe(false);
    const environment = { ...process.env, SKILLPACK_RUN: 'outer' };
    expect(textOf((await run('env.sh', {}, { environment })).stdout)).toMatch(/^outer,[\w-]{36}\n$/u);
  });

  test.skipIf(windows)('without room for a temporary folder nothing is run', async () => {
    const { run, folder } = makeSkill({ 'a.mjs': '' });
    vi.stubEnv('TMPDIR', join(folder, 'none'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await refusal(run('a.mjs'))).toBe('IO_ERROR');
  });

  test.skipIf(windows)('what it leaves in its temporary folder is removed, whatever it is', async () => {
    const { run, folder } = makeSkill({
      'litter.sh':
        'mkdir -p "$TMPDIR/a/b"; touch "$TMPDIR/a/b/c"; ln -s "$1" "$TMPDIR/a/link"; chmod 000 "$TMPDIR/a"; echo "$TMPDIR"\n',
    });
    writeFileSync(join(folder, 'kept'), '');
    const { stdout } = await run('litter.sh', { args: [folder] });
    expect(existsSync(textOf(stdout).trim())).toBe(false);
    expect(existsSync(join(folder, 'kept'))).toBe(true);
  });

  test.skipIf(windows)('a link that it puts in the place of its temporary folder is not followed', async () => {
    const { run, workspace } = makeSkill({
      'link.sh': 'rmdir "$TMPDIR" && ln -s "$PWD/work" "$TMPDIR" && echo "$TMPDIR"\n',
    });
    const work = join(workspace, 'work');
    mkdirSync(join(work, 'deep'), { recursive: true });
    writeFileSync(join(work, 'deep', 'thesis.txt'), '');
    chmodSync(work, 0o750);
    const { stdout } = await run('link.sh');
    expect(readdirSync(work, { recursive: true })).toEqual(['deep', join('deep', 'thesis.txt')]);
    expect(statSync(work).mode & 0o777).toBe(0o750);
    expect(lstatSync(textOf(stdout).trim(), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('PSA-23: it runs in the workspace, with nothing on its standard input', async () => {
    const { run, workspace } = makeSkill({
      'where.mjs': 'import { readFileSync } from "node:fs"; console.log(process.cwd(), readFileSync(0).length);',
    });
    expect(textOf((await run('where.mjs')).stdout)).toBe(`${workspace} 0\n`);
    expect(await refusal(run('where.mjs', {}, { workspace: join(workspace, 'none') }))).toBe('FILE_NOT_FOUND');
    expect(() => createProcessRunner({ environment: {} }, { workspace: 'relative' })).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });

  test('numbers that are none are refused before anything runs', async () => {
    const { run } = makeSkill({ 'a.mjs': '' });
    for (const value of [NaN, Infinity, -1, 1.5, 2 ** 53]) {
      for (const name of ['streamBytes', 'grace']) {
        const options = { workspace: tmpdir(), [name]: value };
        expect(() => createProcessRunner({ environment: {} }, options), `${name} ${value}`).toThrow(
          expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(`${name} is ${value}`) }),
        );
      }
    }
    for (const timeout of [NaN, 0, -1]) expect(await refusal(run('a.mjs', { timeout }))).toBe('USAGE');
    expect(await run('a.mjs', {}, { streamBytes: 0, grace: 0 })).toMatchObject({ exitCode: 0 });
  });

  test.each([2 ** 31, Infinity])('a timeout longer than any timer waits (%d) is none', async (timeout) => {
    const { run } = makeSkill({ 'a.mjs': 'setTimeout(() => console.log("done"), 300);' });
    const { timedOut, stdout } = await run('a.mjs', { timeout });
    expect([timedOut, textOf(stdout)]).toEqual([false, 'done\n']);
  });

  test('arguments that no program can be given are told before anything runs', async () => {
    const { run } = makeSkill({ 'args.mjs': '' });
    expect(await refusal(run('args.mjs', { args: ['a\0b'] }))).toBe('INVALID_INPUT');
    expect(await refusal(run('args.mjs', { args: ['x'.repeat(200_000)] }))).toBe('INVALID_INPUT');
    // The system would take as many.
    const args = Array.from({ length: 128 }, () => 'x'.repeat(1_023));
    expect(await run('args.mjs', { args })).toMatchObject({ exitCode: 0 });
    await expect(run('args.mjs', { args: [...args, ''] })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { size: 128 * 1_024 + 1, maxBytes: 128 * 1_024 },
    });
  });
});

describe('which content is run', () => {
  test('PSA-23: a skill that is another than was approved is not run, and what it is now is told', async () => {
    const { run, skill, workspace } = makeSkill({
      'a.mjs': 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "");',
    });
    const digest = holdSkill(skill, { signal: never });
    expect(await run('a.mjs', { digest })).toMatchObject({ exitCode: 0 });
    writeFileSync(join(skill, 'other.mjs'), '');
    rmSync(join(workspace, 'ran'));
    const actual = holdSkill(skill, { signal: never });
    await expect(run('a.mjs', { digest })).rejects.toMatchObject({
      code: 'INTEGRITY_MISMATCH',
      data: { expected: digest, actual },
      message: expect.stringContaining(`${actual} now, but ${digest} was approved`),
    });
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });

  test('a runner that confines nothing says so, in words', () => {
    const runner = createProcessRunner({ environment: {} }, { workspace: tmpdir() });
    expect(runner.confinement).toBeUndefined();
    expect(runner.leaves).toHaveLength(21);
    expect(runner.leaves).toContain('reach hosts by TCP');
  });
});

describe('which file is run, and by what', () => {
  test('SAA-24: a script is reached in any folder of the skill, by its absolute path too', async () => {
    const { run, skill } = makeSkill({ 'my tools/v1/hello.mjs': 'console.log("hello")' });
    expect(textOf((await run('my tools/v1/hello.mjs')).stdout)).toBe('hello\n');
    expect(textOf((await run(join(skill, 'my tools/v1/hello.mjs'))).stdout)).toBe('hello\n');
    expect(textOf((await run('./my tools/v1/hello.mjs')).stdout)).toBe('hello\n');
  });

  test('PSA-23: nothing outside of the skill is run', async () => {
    const { run, folder, skill } = makeSkill({ 'scripts/fine.mjs': '' });
    const outside = join(folder, 'outside.mjs');
    writeFileSync(outside, 'console.log("out")');
    const paths = ['../outside.mjs', 'scripts/../../outside.mjs', outside, 'scripts/\0', `${skill}/../outside.mjs`];
    if (!windows) {
      symlinkSync(outside, join(skill, 'link.mjs'));
      symlinkSync(folder, join(skill, 'linked'));
      symlinkSync('fine.mjs', join(skill, 'scripts', 'inner.mjs'));
      paths.push('link.mjs', 'linked/outside.mjs', 'scripts/inner.mjs');
    }
    for (const path of paths) expect(await refusal(run(path)), path).toBe('PATH_TRAVERSAL_BLOCKED');
    for (const path of ['none.mjs', 'scripts/fine.mjs/x']) {
      expect(await refusal(run(path)), path).toBe('FILE_NOT_FOUND');
    }
    for (const path of ['scripts', '', '.']) expect(await refusal(run(path)), path).toBe('INVALID_INPUT');
  });

  test('a skill that lies in no folder of this machine has no script to run', async () => {
    const { workspace } = makeSkill({});
    const runner = createProcessRunner({ environment: process.env }, { workspace });
    const request = { path: 'a.mjs', args: [], timeout: 1_000, skill: entryAt('https://host.test/org/pdf@1.0.0#pdf') };
    expect(await refusal(runner.run(request, { signal: never }))).toBe('TOOL_NOT_ALLOWED');
    expect(() => runner.check?.(request)).toThrow('in no folder here');
    expect(() => runner.check?.({ ...request, args: ['\0'] })).toThrow('NUL');
  });

  test.skipIf(windows).each([
    ['a.sh', 'echo $0', 'sh'],
    ['a.py', 'import sys; print(sys.argv[0])', 'python3'],
    ['a.pl', 'print "$0\\n"', 'perl'],
    ['a.ts', 'const file: string = import.meta.filename; console.log(file)', 'node'],
    ['a', '#!/usr/bin/env node\nconsole.log(import.meta.filename ?? __filename)', 'node'],
    ['a.txt', '#!/usr/local/nowhere/bin/python3 -u\r\nimport sys; print(sys.argv[0])', 'python3'],
    ['b', '#!/usr/bin/env -S node --no-warnings\nconsole.log(process.argv[1])', 'node'],
  ])('%s (%j) is run by what it says', async (name, text, program) => {
    if (!here(program)) return;
    const { run, skill } = makeSkill({ [name]: text });
    // No bit says that it may be run.
    chmodSync(join(skill, name), 0o600);
    const { stdout, stderr, exitCode } = await run(name);
    expect([textOf(stdout).trim(), exitCode], textOf(stderr)).toEqual([join(skill, name), 0]);
  });

  test.each([
    ['a.txt', 'plain'],
    ['a', '\u007FELF'],
    ['a.py', '#!/usr/bin/env evil'],
    ['a.py', '#!/usr/bin/env -i python3'],
    ['a.py', '#!/usr/bin/env LD_PRELOAD=x python3'],
    ['a.py', '#!/usr/bin/env'],
    ['a.sh', '#!/bin/sh -c "touch x"'],
    ['a.sh', `#!/bin/sh ${'x'.repeat(600)}`],
    ['a.sh', '#!'],
  ])('%s (%.40j) is not run', async (name, text) => {
    const { run } = makeSkill({ [name]: text });
    expect(await refusal(run(name))).toBe('TOOL_NOT_ALLOWED');
  });

  test.skipIf(windows || !here('python3'))(
    'a note of what is missing stands before what the script writes',
    async () => {
      const { run } = makeSkill({
        'needs.py': '# /// script\n# dependencies = ["rich"]\n# ///\nimport sys\nprint("own", file=sys.stderr)\n',
      });
      const { environment, set } = withoutPrlimit('python3');
      const { stderr, exitCode } = await run('needs.py', {}, { environment, set });
      expect(exitCode).toBe(0);
      expect(textOf(stderr)).toMatch(/^Note: uv, which would install “rich” .*\nown\n$/u);
      expect(stderr.size).toBe(stderr.bytes.length);
      const cut = await run('needs.py', {}, { environment, set, streamBytes: 2 });
      expect(textOf(cut.stderr)).toMatch(/ as it is\.\no\n$/u);
      expect(cut.stderr).toMatchObject({ cut: cut.stderr.bytes.length - 1, size: cut.stderr.bytes.length + 2 });
    },
  );

  test('an interpreter that is not on the PATH is named, and no folder that is relative is looked into', async () => {
    const { run, workspace } = makeSkill({ 'a.rb': 'puts 1' });
    writeFileSync(join(workspace, 'ruby'), '#!/bin/sh\necho owned', { mode: 0o755 });
    await expect(run('a.rb', {}, { environment: { PATH: `.:${join(workspace, 'none')}` } })).rejects.toMatchObject({
      code: 'TOOL_NOT_ALLOWED',
      message: 'The script “a.rb” needs ruby, which is not on the PATH.',
    });
  });
});
