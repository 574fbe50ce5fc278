import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findSandbox } from '@skillpack/tools-shell';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { holdSkill } from '../src/process/hold-skill.js';
import { fillSandboxLimits } from '../src/sandbox/sandbox-limits.js';
import { createSandboxRuntime } from '../src/sandbox/sandbox-runtime.js';
import { linux, long, makeSkill, never, refusal, temporaryFolder, textOf, withWord } from './script-ground.js';

const wanted = { workspace: '/nowhere', candidates: ['sandbox-runtime'] as const };
const { sandbox, problems } = await findSandbox({ environment: process.env }, wanted);
const problem = problems.map((one) => one.problem).join(' ');

/** The same, of a copy of the package in another folder, with what it needs. */
async function sandboxOf(folder: string) {
  const command = createRequire(import.meta.url).resolve('@anthropic-ai/sandbox-runtime');
  const [own, copy] = [join(dirname(command), '..'), join(folder, 'package')];
  cpSync(realpathSync(own), copy, { recursive: true });
  symlinkSync(join(realpathSync(own), '../..'), join(folder, 'node_modules'));
  const programs = { command: join(copy, 'dist/cli.js'), sh: '/bin/sh', prlimit: '/usr/bin/prlimit' };
  const path = process.env['PATH'] ?? '';
  return {
    sandbox: createSandboxRuntime({ ...programs, path }, { limits: fillSandboxLimits(), counted: false, leaves: [] }),
  };
}

// The reason stands among the names of the tests.
describe.skipIf(sandbox === undefined)(`a sandbox of sandbox-runtime ${problem}`, long, () => {
  const options = { sandbox };

  test('PSA-23: a script runs in it as elsewhere, and the outcome names it', async () => {
    const { run, workspace } = makeSkill({
      'a.sh': 'echo "$@"; pwd; echo err >&2; echo made > made; exit 3',
      'a.mjs': 'console.log(process.argv.slice(2).join(" ")); process.exitCode = 3;',
    });
    const outcome = await run('a.sh', { args: ["it's $(id)", '*'] }, options);
    expect(outcome, textOf(outcome.stderr)).toMatchObject({ runner: 'sandbox-runtime', exitCode: 3, timedOut: false });
    expect([textOf(outcome.stdout), textOf(outcome.stderr)]).toEqual([`it's $(id) *\n${workspace}\n`, 'err\n']);
    expect(readdirSync(workspace)).toContain('made');
    expect(textOf((await run('a.mjs', { args: ['x'] }, options)).stdout)).toBe('x\n');
    expect(sandbox?.confinement.leaves).toContain('use rare interfaces of the kernel');
  });

  test('PSA-23: it writes to the workspace and no further, reads no home, and reaches nobody', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret'), 'secret');
    const lines = {
      workspace: 'touch made',
      temporary: 'touch "$TMPDIR/made"',
      outside: `touch ${outside}/made`,
      usr: 'touch /usr/made',
      skill: 'echo x >> "$0"',
      agents: 'mkdir -p .agents/skills',
      hook: 'echo x > .git/hooks/pre-commit',
      project: 'echo x > skillpack.json',
      secret: `cat ${outside}/secret`,
      link: 'cat link/secret',
      home: `ls -d ${homedir()}/.[a-z]*`,
      tcp: 'exec 3<> /dev/tcp/127.0.0.1/22',
      name: 'getent hosts localhost.example',
    };
    const text = Object.entries(lines).map(
      ([name, line]) => `if ( ${line} ) > /dev/null 2>&1; then echo "${name} yes"; else echo "${name} no"; fi\n`,
    );
    const { run, workspace } = makeSkill({ 'try.sh': text.join('') });
    symlinkSync(outside, join(workspace, 'link'));
    mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
    writeFileSync(join(workspace, 'skillpack.json'), '{}');
    const { stdout, exitCode, stderr } = await run('try.sh', {}, options);
    expect(exitCode, textOf(stderr)).toBe(0);
    const done = textOf(stdout)
      .split('\n')
      .filter((line) => line.endsWith(' yes'));
    expect(done).toEqual(['workspace yes', 'temporary yes']);
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  test('it is given the variables that are meant, and no others', async () => {
    const { run } = makeSkill({ 'env.sh': 'env' });
    const environment = { ...process.env, GITHUB_TOKEN: 'secret-value' };
    const { stdout } = await run('env.sh', {}, { ...options, environment, set: { MODE: "it's" } });
    expect(textOf(stdout)).toContain("MODE=it's\n");
    expect(textOf(stdout)).not.toMatch(/secret-value|PROXY|SRT/u);
  });

  test.skipIf(!linux)('nothing that lies in the workspace is started unconfined', async () => {
    const outside = temporaryFolder();
    const { run, workspace } = makeSkill({ 'a.sh': 'echo ran' });
    const planted = join(workspace, 'node_modules/.bin');
    mkdirSync(planted, { recursive: true });
    for (const name of ['bash', 'bwrap', 'mkfifo', 'node', 'prlimit', 'rg', 'sh', 'socat', 'which']) {
      const text = `#!/bin/sh\ntouch ${outside}/${name}\nPATH=/usr/bin:/bin exec ${name} "$@"\n`;
      writeFileSync(join(planted, name), text, { mode: 0o755 });
    }
    const environment = { ...process.env, PATH: `${planted}:${process.env['PATH']}` };
    const found = await findSandbox({ environment }, { ...wanted, workspace });
    const { stdout, stderr } = await run('a.sh', {}, { sandbox: found.sandbox, environment });
    expect(textOf(stdout), textOf(stderr)).toBe('ran\n');
    expect(readdirSync(outside)).toEqual([]);
  });

  test.skipIf(!linux)('it works where it is installed in a home', async () => {
    const home = temporaryFolder();
    const { sandbox: made } = await sandboxOf(home);
    const { run } = makeSkill({ 'a.sh': `ls -A ${home}; echo ran` });
    writeFileSync(join(home, 'secret'), '');
    const { stdout, stderr } = await run('a.sh', {}, { sandbox: made });
    expect(textOf(stdout), textOf(stderr)).toBe('package\nran\n');
  });

  test('a skill that is another than was approved is not run', async () => {
    const { run, skill } = makeSkill({ 'a.sh': 'echo ran' });
    const digest = holdSkill(skill, { signal: never });
    expect(textOf((await run('a.sh', { digest }, options)).stdout)).toBe('ran\n');
    writeFileSync(join(skill, 'more'), '');
    expect(await refusal(run('a.sh', { digest }, options))).toBe('INTEGRITY_MISMATCH');
  });

  test.skipIf(!linux)('AGIO-21: an abort ends all of it, whatever it does to hide', async () => {
    const word = randomUUID();
    const { run, workspace } = makeSkill({
      'hide.sh': `trap "" TERM\nenv -i /usr/bin/setsid sh -c 'trap "" TERM; sleep 1000; true' ${word} &\ntouch begun\nyes\n`,
    });
    const controller = new AbortController();
    const running = refusal(run('hide.sh', { signal: controller.signal, timeout: Infinity }, options));
    await expect
      .poll(() => existsSync(join(workspace, 'begun')) && withWord(word).length > 0, { timeout: 60_000 })
      .toBe(true);
    controller.abort();
    expect(await running).toBe('INTERRUPTED');
    expect(withWord(word)).toEqual([]);
  });
});

test.skipIf(!linux)('what it needs and is not here is named', async () => {
  const found = await findSandbox({ environment: { PATH: temporaryFolder() } }, wanted);
  expect(found.sandbox).toBeUndefined();
  expect(found.problems[0]?.problem).toMatch(
    /needs sh, bwrap, socat, rg, prlimit, which are not on the PATH|not installed/u,
  );
});
