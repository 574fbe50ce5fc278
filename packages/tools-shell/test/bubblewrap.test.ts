import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createProcessRunner, findSandbox } from '@skillpack/tools-shell';
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { holdSkill } from '../src/process/hold-skill.js';
import { limitedSandbox, makeConfinedSkill, makeFolders, noSandbox } from './sandbox-ground.js';
import { here, long, never, refusal, runOutOfTime, temporaryFolder, textOf, withWord } from './script-ground.js';

/** What each line of a shell's script comes to: `yes` where it could be done. */
const attempts = (lines: Readonly<Record<string, string>>): string =>
  Object.entries(lines)
    .map(([name, line]) => `if ( ${line} ) > /dev/null 2>&1; then echo "${name} yes"; else echo "${name} no"; fi\n`)
    .join('');

async function outcomes(
  lines: Readonly<Record<string, string>>,
  ground: { readonly before?: (place: { readonly workspace: string; readonly skill: string }) => void } = {},
): Promise<Record<string, string>> {
  const { run, workspace, skill } = makeConfinedSkill({ 'try.sh': attempts(lines) });
  ground.before?.({ workspace, skill });
  const { stdout, exitCode, stderr } = await run('try.sh');
  expect(exitCode, textOf(stderr)).toBe(0);
  return Object.fromEntries(
    textOf(stdout)
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
}

// The reason stands among the names of the tests.
describe.skipIf(noSandbox !== undefined)(`a sandbox of bubblewrap ${noSandbox ?? ''}`, () => {
  test('PSA-23: what a script makes under names that programs run or trust has another name once it has ended, and it says so', async () => {
    const lines = [
      'echo "export A=1" > .envrc',
      'mkdir .VSCODE; echo "{}" > .VSCODE/tasks.json',
      'ln -s /tmp/x .npmrc',
      'echo plain > plain.txt',
      'echo more >> .editorconfig',
      'git init -q . 2> /dev/null; mkdir -p .git/hooks .agents/skills; true',
      'exit 7',
    ];
    const { run, workspace } = makeConfinedSkill({ 'plant.sh': lines.join('\n') });
    writeFileSync(join(workspace, '.mcp.json'), 'mine');
    const { exitCode, stderr } = await run('plant.sh');
    expect(exitCode).toBe(7);
    const left = readdirSync(workspace).toSorted();
    const aside = left.filter((name) => name.startsWith('skillpack-set-aside-'));
    expect(left.filter((name) => !aside.includes(name))).toEqual(['.editorconfig', '.mcp.json', 'plain.txt']);
    expect(aside.map((name) => name.slice('skillpack-set-aside-00000000-'.length)).toSorted()).toEqual([
      'VSCODE',
      'envrc',
      'npmrc',
    ]);
    for (const name of aside) expect(textOf(stderr)).toContain(`is now called “${name}”`);
    expect(textOf(stderr)).toMatch(/“\.envrc” is now called/u);
    expect((await run('plant.sh')).exitCode).toBe(7);
  });

  test('PSA-23: a script of each kind runs in it, and the outcome names it', async () => {
    const { run, workspace } = makeConfinedSkill({
      'a.sh': 'echo "$@"; echo err >&2; echo made > made; exit 3',
      'a.mjs': 'console.log(process.argv.slice(2).join(" ")); console.error("err"); process.exitCode = 3;',
      'a.py': 'import sys, json, ssl\nprint(" ".join(sys.argv[1:]))\nprint("err", file=sys.stderr)\nsys.exit(3)\n',
    });
    for (const script of ['a.sh', 'a.mjs', ...(here('python3') ? ['a.py'] : [])]) {
      const outcome = await run(script, { args: ['$(id)', '*'] });
      expect(outcome, textOf(outcome.stderr)).toMatchObject({ runner: 'bubblewrap', exitCode: 3, timedOut: false });
      expect([textOf(outcome.stdout), textOf(outcome.stderr)]).toEqual(['$(id) *\n', 'err\n']);
    }
    expect(readFileSync(join(workspace, 'made'), 'utf8')).toBe('made\n');
  });

  test('what it leaves is told beforehand', async () => {
    const { sandbox } = await limitedSandbox({});
    const runner = createProcessRunner({ environment: process.env }, { workspace: temporaryFolder(), sandbox });
    expect(runner.confinement?.name).toBe('bubblewrap');
    expect(runner.leaves).toEqual(runner.confinement?.leaves);
  });

  test('PSA-23: nothing can be written to but the workspace and a folder for what is temporary', async () => {
    const base = temporaryFolder();
    expect(
      await outcomes({
        workspace: 'touch made',
        temporary: 'touch "$TMPDIR/made" /tmp/made /dev/shm/made',
        beside: `touch ${base}/made`,
        usr: 'touch /usr/made',
        root: 'mkdir /made',
        etc: 'echo x >> /etc/passwd',
        dev: 'touch /dev/made',
        sysctl: 'echo x > /proc/sys/kernel/core_pattern',
        own: 'echo 1 > /proc/self/oom_score_adj',
      }),
    ).toEqual({
      workspace: 'yes',
      temporary: 'yes',
      beside: 'no',
      usr: 'no',
      root: 'no',
      etc: 'no',
      dev: 'no',
      sysctl: 'no',
      own: 'no',
    });
    expect(readdirSync(base)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('devices stay as they are, whoever owns them, and can be used', async () => {
    // Whoever may set the mode that it has may set any other.
    const given = '$(stat -L -c %a "$device")';
    const each = (line: string): string =>
      `for device in /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty /proc/self/fd/*; do ${line}; done; false`;
    expect(
      await outcomes({
        mode: each(`test -c "$device" && chmod ${given} "$device" && exit`),
        time: each('test -c "$device" && touch -c -r "$device" "$device" && exit'),
        writes: 'echo x > /dev/null',
        reads: 'test "$(head -c 4 /dev/zero | wc -c)" = 4 && head -c 4 /dev/urandom',
        none: 'test "$(wc -c)" = 0 && test -c /proc/self/fd/0',
      }),
    ).toEqual({ mode: 'no', time: 'no', writes: 'yes', reads: 'yes', none: 'yes' });
  });

  test('what is around the workspace is not that of the machine', async () => {
    const { run, folder } = makeConfinedSkill({ 'a.sh': 'touch ../made; ls -A ..' });
    writeFileSync(join(folder, 'secret'), '');
    expect(textOf((await run('a.sh')).stdout).split('\n')).not.toContain('secret');
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });

  test('the home, other folders and links out of the workspace lead nowhere', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret'), 'secret');
    expect(
      await outcomes(
        {
          home: `ls ${homedir()}/.`,
          root: 'ls /root /home /run /sys /mnt /srv',
          shadow: 'cat /etc/shadow',
          hostname: 'cat /etc/hostname /etc/machine-id',
          outside: `cat ${outside}/secret`,
          link: 'cat link/secret',
          fresh: `ln -s ${outside} fresh && cat fresh/secret`,
          process: `cat /proc/1/root${outside}/secret`,
        },
        { before: ({ workspace }) => symlinkSync(outside, join(workspace, 'link')) },
      ),
    ).toEqual({
      home: 'no',
      root: 'no',
      shadow: 'no',
      hostname: 'no',
      outside: 'no',
      link: 'no',
      fresh: 'no',
      process: 'no',
    });
  });

  test('there is no network, no process of anybody else, and no way to more rights', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(
      await outcomes({
        tcp: `exec 3<> /dev/tcp/127.0.0.1/${port}`,
        processes: `ls -d /proc/${process.pid}/cwd`,
        signal: `kill -0 ${process.pid}`,
        namespace: 'unshare -U true',
        mount: 'mount -t tmpfs none /tmp',
        root: 'test "$(id -u)" = 0',
        supervisor: 'kill -9 1; sleep 0.1; ! kill -0 1',
      }),
    ).toEqual({
      tcp: 'no',
      processes: 'no',
      signal: 'no',
      namespace: 'no',
      mount: 'no',
      root: 'no',
      supervisor: 'no',
    });
  });

  test('no descriptor that this process was given is handed on', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret'), 'secret');
    const { skill, workspace } = makeConfinedSkill({ 'a.sh': 'ls /proc/self/fd/59/; cat <&62; true' });
    const sources = join(import.meta.dirname, '../../../test/registry/resolve-sources.ts');
    const program = `
      import { findSandbox, createProcessRunner } from '@skillpack/tools-shell';
      const [workspace, location] = process.argv.slice(1);
      const ports = { environment: process.env };
      const { sandbox } = await findSandbox(ports, { workspace, candidates: ['bubblewrap'] });
      const runner = createProcessRunner(ports, { workspace, sandbox: process.env.FREE ? undefined : sandbox });
      const request = { skill: { name: 'demo', location }, path: 'a.sh', args: [], timeout: 20_000 };
      const { stdout, stderr } = await runner.run(request, { signal: new AbortController().signal });
      process.stdout.write(Buffer.concat([stdout.bytes, stderr.bytes]));
    `;
    const node = [process.execPath, '--conditions=skillpack-source', '--import', sources, '--input-type=module'];
    const words = [...node, '-e', program, workspace, skill];
    // Node closes those up to the first gap beyond 15 by itself.
    const line = `exec 59< ${outside} 62< ${outside}/secret; exec "$@"`;
    const started = (env: NodeJS.ProcessEnv) =>
      spawnSync('bash', ['-c', line, 'bash', ...words], { cwd: import.meta.dirname, encoding: 'utf8', env });
    const { PATH } = process.env;
    const free = started({ PATH, FREE: '1' });
    expect(free.stdout, free.stderr).toMatch(/secret/u);
    const confined = started({ PATH });
    expect(confined.stdout, confined.stderr).not.toMatch(/secret/u);
    expect(confined.status, confined.stderr).toBe(0);
  });

  test('what it is given are few variables, none of them of whoever runs it', async () => {
    const { run } = makeConfinedSkill({ 'env.sh': 'cat /proc/1/environ /proc/self/environ | tr "\\0" "\\n"' });
    const environment = { ...process.env, GITHUB_TOKEN: 'secret-value', HOME: '/home/somebody' };
    const { stdout } = await run('env.sh', {}, { environment, set: { MODE: 'test' } });
    const lines = textOf(stdout).split('\n');
    expect(lines).toContain('HOME=/tmp');
    expect(lines).toContain('MODE=test');
    expect(textOf(stdout)).not.toMatch(/secret-value|somebody/u);
    const { run: runAgain } = makeConfinedSkill({ 'who.sh': 'id -un; grep -c . /etc/passwd' });
    expect(textOf((await runAgain('who.sh')).stdout)).toBe('skill\n2\n');
  });
});

describe.skipIf(noSandbox !== undefined)('what others run or trust', () => {
  test('PSA-23: the settings and hooks of Git, skills and records stay as they are, and where they are', async () => {
    expect(
      await outcomes(
        {
          hook: 'echo x > .git/hooks/pre-commit',
          config: 'echo x >> .git/config',
          moved: 'mv .git git',
          skills: 'mkdir .agents/skills/evil',
          agents: 'mv .agents agents',
          project: 'echo x > skillpack.json',
          replaced: 'rm -f skillpack.json',
          renamed: 'touch new && mv new skillpack.json',
          read: 'cat .git/config skillpack.json',
          other: 'touch other',
        },
        {
          before: ({ workspace }) => {
            makeFolders(workspace, '.git/hooks', '.agents/skills');
            writeFileSync(join(workspace, '.git/config'), '[core]\n');
            writeFileSync(join(workspace, 'skillpack.json'), '{}');
          },
        },
      ),
    ).toEqual({
      hook: 'no',
      config: 'no',
      moved: 'no',
      skills: 'no',
      agents: 'no',
      project: 'no',
      replaced: 'no',
      renamed: 'no',
      read: 'yes',
      other: 'yes',
    });
  });

  test('the code of whoever runs it cannot be changed, where that is installed in the workspace', async () => {
    const { skill, workspace } = makeConfinedSkill({
      'a.sh': attempts({
        code: 'echo x >> node_modules/@skillpack/tools-shell/src/index.ts',
        dependency: 'rm node_modules/zod',
        moved: 'mv node_modules modules',
        other: 'touch other',
      }),
    });
    const own = join(import.meta.dirname, '..');
    const installed = join(workspace, 'node_modules/@skillpack/tools-shell');
    for (const name of ['package.json', 'src']) cpSync(join(own, name), join(installed, name), { recursive: true });
    for (const name of ['@skillpack/core', 'zod']) {
      symlinkSync(realpathSync(join(own, 'node_modules', name)), join(workspace, 'node_modules', name));
    }
    const program = `
      import { findSandbox, createProcessRunner } from ${JSON.stringify(join(installed, 'src/index.ts'))};
      const [workspace, location] = process.argv.slice(1);
      const ports = { environment: process.env };
      const { sandbox } = await findSandbox(ports, { workspace, candidates: ['bubblewrap'] });
      const runner = createProcessRunner(ports, { workspace, sandbox });
      const request = { skill: { name: 'demo', location }, path: 'a.sh', args: [], timeout: 20_000 };
      const { stdout } = await runner.run(request, { signal: new AbortController().signal });
      process.stdout.write(stdout.bytes);
    `;
    // Where code is installed, Node does not read TypeScript.
    const plain = join(workspace, 'node_modules/plain.mjs');
    writeFileSync(
      plain,
      `import { registerHooks, stripTypeScriptTypes } from 'node:module';
      import { readFileSync } from 'node:fs';
      import { fileURLToPath } from 'node:url';
      registerHooks({ load: (url, context, next) => url.endsWith('.ts')
        ? { format: 'module', shortCircuit: true, source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8')) }
        : next(url, context) });`,
    );
    const sources = join(import.meta.dirname, '../../../test/registry/resolve-sources.ts');
    const words = ['--no-warnings', '--conditions=skillpack-source', '--import', sources, '--import', plain];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...words, '--input-type=module', '-e', program, workspace, skill],
      { cwd: workspace, encoding: 'utf8' },
    );
    expect(stdout, stderr).toBe('code no\ndependency no\nmoved no\nother yes\n');
  });

  test('what is not there cannot be made either, and nothing of that is left', async () => {
    const { run, workspace } = makeConfinedSkill({
      'plant.sh':
        'git init . ; mkdir -p .git/hooks .agents/skills; echo x > .git/config; mv .git a; rmdir .agents; true',
    });
    expect(await run('plant.sh')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('a link in the place of one is refused, and so is a workspace that is a home, or holds one', async () => {
    const { run, workspace } = makeConfinedSkill({ 'a.sh': 'touch ran' });
    symlinkSync(temporaryFolder(), join(workspace, '.agents'));
    expect(await refusal(run('a.sh'))).toBe('TOOL_NOT_ALLOWED');
    for (const wide of [homedir(), '/', '/tmp', '/usr']) {
      expect(await refusal(run('a.sh', {}, { workspace: wide })), wide).toBe('TOOL_NOT_ALLOWED');
    }
    expect(readdirSync(workspace)).toEqual(['.agents']);
  });

  test.each(['.agents/skills/demo', 'skills/demo', 'demo'])(
    'a skill in the workspace (%s) cannot be changed',
    async (place) => {
      const script = attempts({
        write: 'echo x >> "$0"',
        made: 'touch "$(dirname "$0")/new"',
        moved: 'mv "$(dirname "$0")" moved',
        above: 'mv "$(dirname "$(dirname "$0")")" moved',
        beside: 'touch beside',
      });
      const { run, skill, workspace } = makeConfinedSkill({ 'try.sh': script });
      const inside = join(workspace, place);
      mkdirSync(join(inside, '..'), { recursive: true });
      renameSync(skill, inside);
      symlinkSync(inside, skill);
      for (const digest of [undefined, holdSkill(inside, { signal: never })]) {
        const { stdout } = await run('try.sh', { digest });
        expect(textOf(stdout)).toBe('write no\nmade no\nmoved no\nabove no\nbeside yes\n');
      }
      expect(readFileSync(join(inside, 'try.sh'), 'utf8')).toBe(script);
    },
  );

  test('a skill whose folder is a home, or holds one, is not run: all of it would be shown', async () => {
    const { run, skill, workspace } = makeConfinedSkill({ 'a.sh': 'touch ran', '.ssh/key': 'secret' });
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const home of [skill, join(skill, '.ssh')]) {
      vi.stubEnv('HOME', home);
      for (const digest of [undefined, holdSkill(skill, { signal: never })]) {
        expect(await refusal(run('a.sh', { digest }))).toBe('TOOL_NOT_ALLOWED');
      }
    }
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('what was approved is what is run, whoever exchanges it after that', async () => {
    const { run, skill, workspace } = makeConfinedSkill({
      'a.sh': 'touch begun; until test -e go; do sleep 0.01; done; . "$(dirname "$0")/lib.sh"',
      'lib.sh': 'echo approved',
    });
    const digest = holdSkill(skill, { signal: never });
    const running = run('a.sh', { digest });
    await expect.poll(() => existsSync(join(workspace, 'begun')), { timeout: 60_000 }).toBe(true);
    writeFileSync(join(skill, 'lib.sh'), 'echo exchanged');
    writeFileSync(join(workspace, 'go'), '');
    expect(textOf((await running).stdout)).toBe('approved\n');
    expect(await refusal(run('a.sh', { digest }))).toBe('INTEGRITY_MISMATCH');
  });

  test('where the workspace is the folder of the skill, or in it, the skill stays as it is all the same', async () => {
    const { run, skill } = makeConfinedSkill({
      'a.sh': 'touch new; touch "$TMPDIR/new" && echo done; ls -A',
      'work/kept': '',
    });
    const digest = holdSkill(skill, { signal: never });
    for (const given of [undefined, digest]) {
      const whole = await run('a.sh', { digest: given }, { workspace: skill });
      expect(textOf(whole.stdout), textOf(whole.stderr)).toMatch(/^done\n[^]*SKILL\.md\na\.sh\nwork\n$/u);
    }
    const inner = await run('a.sh', { digest }, { workspace: join(skill, 'work') });
    expect(textOf(inner.stdout)).toBe('done\n.agents\n.git\nkept\nnew\n');
    expect(readdirSync(skill)).toEqual(['SKILL.md', 'a.sh', 'work']);
    expect(readdirSync(join(skill, 'work'))).toEqual(['kept', 'new']);
  });

  test('modules are found in the folders around the skill, as far as they are in the workspace', async () => {
    const { run, skill, workspace } = makeConfinedSkill({
      'a.mjs': 'import { name } from "near"; console.log(name); await import("far").catch(() => console.log("no"));',
    });
    const inside = join(workspace, '.agents/skills/demo');
    makeFolders(workspace, '.agents/skills', 'node_modules/near', '../node_modules/far');
    for (const place of ['node_modules/near', '../node_modules/far']) {
      writeFileSync(join(workspace, place, 'package.json'), '{"type":"module","exports":"./index.js"}');
      writeFileSync(join(workspace, place, 'index.js'), 'export const name = "found";');
    }
    renameSync(skill, inside);
    symlinkSync(inside, skill);
    const { stdout, stderr } = await run('a.mjs', { digest: holdSkill(inside, { signal: never }) });
    expect(textOf(stdout), textOf(stderr)).toBe('found\nno\n');
  });
});

describe.skipIf(noSandbox !== undefined)('what it may take', () => {
  test('PSA-24: whoever forks without end is stopped, and so is all that was forked', long, async () => {
    const word = randomUUID();
    const { run } = makeConfinedSkill({
      'bomb.sh': `for i in $(seq 1 400); do sh -c 'sleep 100; true' ${word} & done 2> /dev/null\necho begun\nwhile :; do sleep 1; done\n`,
    });
    const { sandbox } = await limitedSandbox({ processes: 40 });
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, withWord(word).length)), 20);
    const outcome = await runOutOfTime(
      async (timeout) => run('bomb.sh', { timeout }, { sandbox }),
      () => most > 0,
    );
    clearInterval(watch);
    expect(outcome.timedOut || outcome.exitCode !== 0).toBe(true);
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(40);
    expect(withWord(word)).toEqual([]);
  });

  test.skipIf(!here('python3'))('memory, files, what is temporary and processor time have an end', long, async () => {
    const { run, workspace } = makeConfinedSkill({
      'take.py': `
import mmap, os, signal, sys
def attempt(name, work):
    try:
        work()
        print(name, 'yes')
    except (MemoryError, OSError) as error:
        print(name, 'no')
    sys.stdout.flush()
def large(path, size):
    with open(path, 'wb') as file:
        for _ in range(size): file.write(b'x' * 1024 * 1024)
def several(folder):
    for n in range(3): large(f'{folder}/{n}', 15)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
attempt('private', lambda: bytearray(600 * 1024 * 1024))
attempt('shared', lambda: mmap.mmap(-1, 600 * 1024 * 1024))
attempt('hidden', lambda: os.memfd_create('x'))
attempt('file', lambda: large('large', 40))
attempt('files', lambda: several('.'))
for folder in ('/tmp', '/var/tmp', '/dev/shm'): attempt(folder, lambda: several(folder))
while True: pass
`,
    });
    const MiB = 1024 * 1024;
    const limits = { memory: 512 * MiB, fileBytes: 30 * MiB, temporaryBytes: 20 * MiB, cpuSeconds: 1 };
    const outcome = await run('take.py', { timeout: 120_000 }, await limitedSandbox(limits));
    expect(textOf(outcome.stdout)).toBe(
      'private no\nshared no\nhidden no\nfile no\nfiles yes\n/tmp no\n/var/tmp no\n/dev/shm no\n',
    );
    // SIGXCPU, as a supervisor tells it, where that is not ended before which takes too much together with others.
    expect(outcome.timedOut).toBe(false);
    expect(outcome.exitCode ?? textOf(outcome.stderr)).toSatisfy(
      (said) => said === 128 + 24 || /took more than 1 s of processor time/u.test(String(said)),
    );
    expect(readFileSync(join(workspace, 'large'))).toHaveLength(30 * MiB);
  });

  test('AGIO-21: an abort ends all of it, whatever it does to hide', long, async () => {
    const word = randomUUID();
    const { run, workspace } = makeConfinedSkill({
      'hide.sh': `trap "" TERM\nenv -i /usr/bin/setsid sh -c 'trap "" TERM; sleep 1000; true' ${word} &\ntouch begun\nyes\n`,
    });
    const controller = new AbortController();
    const running = refusal(run('hide.sh', { signal: controller.signal, timeout: Infinity }));
    await expect
      .poll(() => existsSync(join(workspace, 'begun')) && withWord(word).length > 0, { timeout: 60_000 })
      .toBe(true);
    controller.abort();
    expect(await running).toBe('INTERRUPTED');
    expect(withWord(word)).toEqual([]);
  });

  test('whoever runs it is killed: all of it ends', long, async () => {
    const word = randomUUID();
    const { skill, workspace } = makeConfinedSkill({ 'a.sh': `touch begun; sh -c 'sleep 1000; true' ${word}` });
    const sources = join(import.meta.dirname, '../../../test/registry/resolve-sources.ts');
    const program = `
      import { findSandbox, createProcessRunner } from '@skillpack/tools-shell';
      const [workspace, location] = process.argv.slice(1);
      const ports = { environment: process.env };
      const { sandbox } = await findSandbox(ports, { workspace, candidates: ['bubblewrap'] });
      const runner = createProcessRunner(ports, { workspace, sandbox });
      const request = { skill: { name: 'demo', location }, path: 'a.sh', args: [], timeout: Infinity };
      await runner.run(request, { signal: new AbortController().signal });
    `;
    const words = ['--conditions=skillpack-source', '--import', sources, '--input-type=module', '-e', program];
    const runs = spawn(process.execPath, [...words, workspace, skill], { cwd: import.meta.dirname, stdio: 'ignore' });
    const ended = once(runs, 'exit');
    onTestFinished(() => {
      runs.kill('SIGKILL');
      for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
    });
    await expect.poll(() => withWord(word).length, { timeout: 60_000 }).toBeGreaterThan(0);
    runs.kill('SIGKILL');
    await ended;
    await expect.poll(() => withWord(word), { timeout: 60_000 }).toEqual([]);
  });

  test('PSA-24: whoever heeds SIGTERM has the grace to end as it likes, and keeps what it wrote', long, async () => {
    const { run, workspace } = makeConfinedSkill({
      'tidy.sh': 'trap "sleep 0.5; echo tidy; exit 7" TERM\ntouch begun\nwhile :; do sleep 0.05; done\n',
    });
    const outcome = await runOutOfTime(
      async (timeout) => run('tidy.sh', { timeout }, { grace: 60_000 }),
      () => existsSync(join(workspace, 'begun')),
    );
    expect(outcome).toMatchObject({ timedOut: true, exitCode: 7 });
    expect(textOf(outcome.stdout)).toBe('tidy\n');
  });
});

describe('which sandbox is found', () => {
  const environment = (folder: string) => ({ PATH: folder });
  const candidates = ['bubblewrap'] as const;
  const programs = (...names: readonly string[]): string => {
    const folder = temporaryFolder();
    for (const name of names) symlinkSync(realpathSync(`/usr/bin/${name}`), join(folder, name));
    return folder;
  };

  test.skipIf(process.platform !== 'linux')('where bubblewrap is not installed, that is said', async () => {
    const found = await findSandbox({ environment: environment(programs('sh', 'prlimit')) }, { workspace: '/nowhere' });
    expect(found.sandbox).toBeUndefined();
    expect(found.problems).toEqual([
      { name: 'bubblewrap', problem: expect.stringContaining('is not installed') },
      { name: 'sandbox-runtime', problem: expect.stringMatching(/needs bwrap|not installed/u) },
    ]);
  });

  test.skipIf(process.platform !== 'linux')('one that starts nothing is none, and what it says is told', async () => {
    const folder = programs('sh', 'prlimit');
    const text = '#!/bin/sh\necho "bwrap: \u001b[31mNo permissions to create new namespace" >&2\nexit 1\n';
    writeFileSync(join(folder, 'bwrap'), text, { mode: 0o755 });
    const { sandbox, problems } = await findSandbox(
      { environment: environment(folder) },
      { workspace: '/nowhere', candidates },
    );
    expect(sandbox).toBeUndefined();
    expect(problems[0]?.problem).toMatch(/No permissions to create new namespace/u);
    expect(problems[0]?.problem).not.toContain('\u001b');
  });

  test.skipIf(noSandbox !== undefined)(
    'one that starts nothing later is told, and not as an end of the script',
    async () => {
      const folder = programs('sh', 'prlimit', 'mkfifo', 'bash', 'unshare', 'mount');
      const text = `#!/bin/sh\nif test -e ${folder}/broken; then echo "bwrap: no more" >&2; exit 3; fi\nexec /usr/bin/bwrap "$@"\n`;
      writeFileSync(join(folder, 'bwrap'), text, { mode: 0o755 });
      const { run, workspace } = makeConfinedSkill({ 'a.sh': 'echo ran; exit 3' });
      const { sandbox } = await findSandbox({ environment: environment(folder) }, { workspace, candidates });
      const options = { sandbox, environment: environment(folder) };
      expect(await run('a.sh', {}, options)).toMatchObject({ exitCode: 3 });
      writeFileSync(join(folder, 'broken'), '');
      await expect(run('a.sh', {}, options)).rejects.toMatchObject({
        code: 'IO_ERROR',
        message: expect.stringMatching(/did not start the program: bwrap: no more/u),
      });
    },
  );

  test.skipIf(noSandbox !== undefined)('nothing that lies in the workspace becomes a part of it', async () => {
    const workspace = programs('sh', 'prlimit', 'bwrap');
    writeFileSync(join(workspace, 'own'), '');
    const planted = temporaryFolder();
    writeFileSync(join(planted, 'bwrap'), '#!/bin/sh\nexit 37\n', { mode: 0o755 });
    const PATH = `${planted}:/usr/bin:/bin`;
    const found = await findSandbox({ environment: { PATH } }, { workspace: planted, candidates });
    expect(found.sandbox?.confinement.name).toBe('bubblewrap');
    expect(await findSandbox({ environment: environment(planted) }, { workspace: planted, candidates })).toMatchObject({
      problems: [{ problem: expect.stringContaining('is not installed') }],
    });
  });

  test.skipIf(noSandbox !== undefined)('nothing that lies in the workspace is started unconfined', async () => {
    const outside = temporaryFolder();
    const { run, workspace } = makeConfinedSkill({ 'a.sh': 'echo ran' });
    const planted = join(workspace, 'node_modules/.bin');
    const linked = temporaryFolder();
    makeFolders(workspace, 'node_modules/.bin');
    for (const name of ['bwrap', 'mkfifo', 'mount', 'prlimit', 'sh', 'unshare']) {
      const text = `#!/bin/bash\ntouch ${outside}/${name}\nexec /usr/bin/${name} "$@"\n`;
      writeFileSync(join(planted, name), text, { mode: 0o755 });
      symlinkSync(join(planted, name), join(linked, name));
    }
    const PATH = `${planted}:${linked}:/usr/bin:/bin`;
    const { sandbox } = await findSandbox({ environment: { PATH } }, { workspace, candidates });
    expect(textOf((await run('a.sh', {}, { sandbox, environment: { PATH } })).stdout)).toBe('ran\n');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('limits that are none are refused', async () => {
    for (const limits of [{ processes: 0 }, { memory: 1 }, { cpuSeconds: 0.5 }, { temporaryBytes: NaN }]) {
      expect(await refusal(findSandbox({ environment: {} }, { workspace: '/nowhere', limits }))).toBe('USAGE');
    }
  });
});
