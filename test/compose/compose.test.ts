import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage, type PageStep } from './read-page.js';
import { serveScript } from './serve-script.js';

const root = join(import.meta.dirname, '..', '..');
const pageOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const [pack, install, ...steps] = readPage(pageOf('docs/compose-your-own-agent.md'));

const home = mkdtempSync(join(tmpdir(), 'skillpack-test-compose-'));
const tarballs = join(home, 'tarballs');
const agent = join(home, 'my-agent');
afterAll(() => rmSync(home, { recursive: true, force: true }));

// What a shell needs to reach the npm registry, and nothing else: a stranger has no key and no model.
const needed = ['HOME', 'HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS', 'NO_PROXY', 'https_proxy', 'no_proxy'];
const stranger = {
  ...Object.fromEntries(needed.map((name) => [name, process.env[name]])),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
  TARBALLS: tarballs,
  NO_COLOR: '1',
  // Of settings that a newer npm does not know, it warns on stderr.
  NPM_CONFIG_LOGLEVEL: 'error',
};

/** What a shell says. */
interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Types into a shell in the folder of the agent, or in another one. */
async function type(commands: string, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Said> {
  const { cwd = agent, env } = options;
  const child = spawn('sh', ['-ec', commands], { cwd, env: { ...stranger, ...env }, timeout: 120_000 });
  child.stdin.end();
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, stdout, stderr };
}

/** Types what has to work before anything can be tested. */
async function prepare(commands: string, cwd: string): Promise<void> {
  const { status, stdout, stderr } = await type(commands, { cwd });
  if (status !== 0) throw new Error(`${commands}\n${stdout}${stderr}`);
}

// The page is for a POSIX shell.
describe.skipIf(process.platform === 'win32')('the page “compose your own agent”', () => {
  beforeAll(async () => {
    // What was built is packed as the page does it, but for the building.
    const running = process.env['npm_execpath'] ?? '';
    const pnpm = basename(running).startsWith('pnpm') ? running : 'npx -y pnpm@12';
    const options = "--config.ignore-scripts=true --filter './packages/*' --recursive";
    await prepare(`${pnpm} ${options} pack --pack-destination "$TARBALLS"`, root);
    const clone = join(home, 'skillpack');
    mkdirSync(clone);
    await prepare(install?.kind === 'type' ? install.commands : 'echo The page installs nothing; false', clone);
  }, 240_000);

  test('the page packs the packages as the README does', () => {
    const line = /^npx -y pnpm@12 --recursive pack .*$/mu;
    expect(pack?.kind === 'type' ? line.exec(pack.commands)?.[0] : undefined).toBe(line.exec(pageOf('README.md'))?.[0]);
  });

  /** Saves and types what the page says, and sees what it says. */
  async function follow(page: readonly PageStep[], env: NodeJS.ProcessEnv = {}): Promise<void> {
    for (const step of page) {
      if (step.kind === 'save') {
        const path = join(agent, step.path);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, step.text);
        continue;
      }
      const { commands, prints } = step;
      const { status, stderr, stdout } = await type(commands, { env });
      expect({ commands, status, stderr, stdout }).toEqual({
        commands,
        status: 0,
        stderr: '',
        stdout: prints ?? stdout,
      });
    }
  }

  test('a stranger who follows the page sees what the page says', { timeout: 120_000 }, async () => {
    expect(steps.filter(({ kind }) => kind === 'type').length).toBeGreaterThan(4);
    await follow(steps);
  });

  test.runIf(process.env['SKILLPACK_LONG_TESTS'] === '1')(
    'so does one with the oldest Node that is supported',
    async () => {
      const { stdout: node } = await type('npx -y -p node@22.19.0 node -p process.execPath');
      const path = `${dirname(node.trim())}${delimiter}${stranger.PATH}`;
      expect((await type('node --version', { env: { PATH: path } })).stdout).toBe('v22.19.0\n');
      rmSync(join(agent, 'runs'), { recursive: true });
      await follow(
        steps.filter((step) => step.kind === 'type' && !step.commands.startsWith('npm ')),
        { PATH: path },
      );
    },
  );

  test('with a server of a model in the environment, the agent of the page asks that model', async () => {
    const { asked, url } = await serveScript([
      { action: { kind: 'select_skills', skills: [{ name: 'house-plants' }], reason: 'It is about plants.' } },
      { action: { kind: 'call_tool', tool: 'water', input: { plant: 'cactus', millilitres: 50 } } },
      { action: { kind: 'final_answer', content: 'The cactus had its water.' } },
    ]);
    const env = { MODEL_URL: url, MODEL: 'small', MODEL_API_KEY: 'secret-of-the-person' };
    const { status, stderr, stdout } = await type('echo y | node main.ts "Water the cactus." cactus', { env });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('water (medium risk): water {"millilitres":50,"plant":"cactus"}');
    expect(stdout).toMatch(/The cactus had its water\.\n$/u);
    const call = { model: 'small', authorization: 'Bearer secret-of-the-person' };
    expect(asked).toEqual([call, call, call]);
    expect(readFileSync(join(agent, 'runs/cactus/events.jsonl'), 'utf8')).not.toContain('secret-of-the-person');
  });

  test('what the page says of a changed skill holds: the recording does not fit any more, and the test of the page fails', async () => {
    const skill = join(agent, 'skills/house-plants/SKILL.md');
    const before = readFileSync(skill, 'utf8');
    writeFileSync(skill, before.replace('200 ml', '300 ml'));
    const { status, stdout } = await type('node --test agent.test.ts');
    writeFileSync(skill, before);
    expect(status).toBe(1);
    expect(stdout).toMatch(/RECORDING_NOT_FOUND|not recorded/u);
  });
});
