import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '../src/frame/command.js';
import { commandTable } from '../src/frame/command-table.js';
import { optionFlag } from '../src/frame/option-flag.js';
import { hostilePlaces, type HostilePlace } from './hostile-places.js';
import { harmful, makeHostileWorld, nasty, type HostileWorld } from './hostile-world.js';
import { startLyingServer } from './lying-server.js';
import { command, finished, type SkillsRun, type World } from './run-skills.js';

// Names of files are full of control characters here, and Windows has none of these.
const windows = process.platform === 'win32';
const all = process.env['SKILLPACK_LONG_TESTS'] === '1';

let hostile: HostileWorld;

beforeAll(async () => {
  hostile = await makeHostileWorld();
});
afterAll(() => hostile.remove());

/** How each command of the table is run in the hostile project. A command without a row fails the test below. */
const rows: Readonly<Record<string, readonly (readonly string[])[]>> = {
  install: [['install', '--replace'], ['install', 'evil/x@1.1.0', '--replace'], ['install', '../../evil.tgz', 'evil/x@9'], ['install', '--frozen']],
  uninstall: [['uninstall', 'x', '--backup'], ['uninstall', 'evil/x', '--force']],
  verify: [['verify'], ['verify', '../../evil.tgz']],
  list: [['list'], ['list', '--source', 'user']],
  inspect: [['inspect', 'x', '--body'], ['inspect', 'evil/x', '--remote'], ['inspect', 'x', '--source', 'user', '--body']],
  search: [['search', 'x']],
  outdated: [['outdated']],
  update: [['update', '--replace'], ['update', 'evil/x', '--dry-run']],
  init: [['init', 'evil/new', '--description', nasty]],
  lint: [['lint', '.agents', '../.agents'], ['lint', '--strict', '../../author/x']],
  pack: [['pack', '../../author/x', '--out', '../../out.tgz']],
  publish: [['publish', '../../author/x'], ['publish', '../../evil.tgz', '--dry-run']],
  'registry build': [['registry', 'build', '../../registry']],
  'registry serve': [['registry', 'serve', '../../registry']],
  run: [['run', 'x', '--model', 'scripted:model.json', '--approve', 'run_script', '--trust-project'], ['run', 'x', '--model', 'scripted', '--skill', 'x']],
  chat: [['chat', '--model', 'scripted:model.json', '--trust-project']],
  'runs list': [['runs', 'list']],
  'runs show': [['runs', 'show', 'last'], ['runs', 'show', '20']],
  'runs replay': [['runs', 'replay', 'last']],
  'runs resume': [['runs', 'resume', 'last', '--trust-project', '--approve', 'run_script'], ['runs', 'resume', '20']],
  eval: [['eval', 'tested', '--reporter', 'console,json,junit,markdown'], ['eval', 'tested', '--ranks-only', '--baseline', 'part'], ['eval', 'other.json', 'tested']],
  'eval merge': [['eval', 'merge', 'part', '--out', 'whole'], ['eval', 'merge', 'part', 'part', '--out', 'whole']],
  'eval import': [['eval', 'import', 'other.json'], ['eval', 'import', 'tested/x/evals/cases.json', '--out', 'cases.yaml']],
  'eval export': [['eval', 'export', 'tested/x/evals/cases.json', '--to', 'promptfoo', '--out', 'cases.yaml']],
  'eval report': [['eval', 'report', 'part', '--reporter', 'console,markdown,junit']],
  'eval compare': [['eval', 'compare', 'part', 'part']],
  mcp: [['mcp', '--trust-project'], ['mcp']],
  'cache info': [['cache', 'info']],
  'cache clean': [['cache', 'clean']],
  'cache verify': [['cache', 'verify']],
  doctor: [['doctor'], ['doctor', '--repair']],
}; // prettier-ignore

test('every command is run', () => {
  expect(Object.keys(rows)).toEqual(commandTable.map(({ name }) => name));
});

describe.skipIf(windows)('no text of a stranger comes out as it is', { timeout: 600_000 }, () => {
  test('whatever the command, with everything in it that packs and registries say', async () => {
    for (const [number, words] of Object.values(rows).flat().entries()) {
      for (const form of formsOf(number)) await expectCleanRun([...words, form], hostilePlaces[0] as HostilePlace);
    }
  });

  // Each day every place is met by two command lines, and every command line by several places; in the long run by a third.
  test.each(hostilePlaces.map((place, number) => [place.where, place, number] as const))(
    '%s',
    async (_, place, number) => {
      const lines = Object.values(rows).flat();
      const asking = lines.filter(([name = '']) => ['install', 'inspect', 'search', 'outdated', 'update', 'publish'].includes(name)); // prettier-ignore
      const possible = place.kind === 'server' ? asking : lines;
      const chosen = possible.filter((__, line) => (line + number) % (all ? 3 : possible.length >> 1) === 0);
      for (const [line, words] of chosen.entries()) {
        for (const form of formsOf(line + number)) await expectCleanRun([...words, form], place);
      }
    },
  );

  test('whatever is typed', async () => {
    const lines: string[][] = [
      [nasty],
      ['list', `--${nasty}`],
      ['help', nasty],
      ['cache', nasty],
      [`--cwd=${nasty}`, 'list'],
    ];
    for (const row of commandTable) lines.push(...typedLines(row.name.split(' '), await row.load()));
    expect(lines.length).toBeGreaterThan(50);
    for (const [number, words] of lines.entries()) {
      if (all || number % 5 === 0)
        await expectCleanRun([...words, number % 2 === 0 ? '--json' : '--verbose'], hostilePlaces[0] as HostilePlace);
    }
  });
});

/** Text for a person and JSON for a program, by turns; in the long run both. */
function formsOf(number: number): readonly string[] {
  const forms = ['--verbose', '--json'];
  return all ? forms : forms.slice(number % 2, (number % 2) + 1);
}

/** The attack as each argument of a command, and as the value of each of its options. */
function typedLines(name: readonly string[], declared: Command): string[][] {
  const options = Object.entries(declared.options).filter(([, { kind }]) => kind !== 'flag');
  const needed = Object.values(declared.arguments).filter(({ count }) => count === 'one' || count === 'some');
  return [
    [...name, nasty],
    ...options.map(([option]) => [...name, ...needed.map(() => 'x'), `${optionFlag(option)}=${nasty}`]),
  ];
}

async function expectCleanRun(words: readonly string[], place: HostilePlace): Promise<void> {
  const world = hostile.copy();
  const label = `${words.map((word) => JSON.stringify(word)).join(' ')} with ${place.where}`;
  try {
    let env: Record<string, string> = { SKILLS_REGISTRY: world.path('registry'), SKILLS_TOKEN: 't' };
    if (place.kind === 'disk') env = { ...env, ...place.prepare(world) };
    const server = place.kind === 'server' ? await startLyingServer(new Map()) : undefined;
    if (place.kind === 'server' && server !== undefined) {
      server.lie('', place.does);
      env['SKILLS_REGISTRY'] = server.url;
    }
    const before = filesOf(world);
    const run = words[1] === 'serve' ? await serveOnce(world, words, env) : await world.run(words, { env });
    await server?.close();
    expect(run.exitCode, `${label}: ${run.stderr}`).not.toBe(70);
    expect(run.stdout + run.stderr, label).not.toMatch(harmful);
    expect(run.stdout + run.stderr, label).not.toContain('secret@');
    if (words.includes('--json')) expectCleanJson(run, label);
    for (const [path, text] of filesOf(world)) {
      if (before.get(path) !== text) expect(text, `${label}: ${path}`).not.toMatch(harmful);
    }
  } finally {
    world.remove();
  }
}

function expectCleanJson(run: SkillsRun, label: string): void {
  JSON.parse(run.stdout, (key, value: unknown) => {
    for (const text of [key, value]) if (typeof text === 'string') expect(text, label).not.toMatch(harmful);
    return value;
  });
}

/** Starts a server, asks it a few things that its log might repeat, and stops it. */
async function serveOnce(world: World, words: readonly string[], env: Record<string, string>): Promise<SkillsRun> {
  const child = world.start(words, { env });
  const ended = finished(child);
  await new Promise<void>((resolve) => {
    child.stdout?.once('data', (text: Buffer) => {
      const url = /http:\/\/127\.0\.0\.1:\d+\//u.exec(text.toString())?.[0];
      const ask = (path: string): Promise<unknown> =>
        fetch(`${url}${path}`, { headers: { 'x-a': '\u009B' } }).catch(() => undefined);
      void Promise.all([
        ask(`packs/${encodeURIComponent(nasty)}/x.ndjson`),
        ask(`search?q=${encodeURIComponent(nasty)}`),
      ])
        .finally(() => child.kill('SIGINT'))
        .finally(resolve);
    });
    child.once('exit', () => resolve());
  });
  return ended;
}

/** The text of everything that a command may have written, but for what holds bytes as they are: skills, archives, caches. */
function filesOf(world: World): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(world.path(), { withFileTypes: true, recursive: true })) {
    const path = relative(world.path(), join(entry.parentPath, entry.name));
    const verbatim =
      /\/compile\/|(?:^|\/)(?:SKILL\.md|[0-9a-f]{64}|[^/]+\.(?:tgz|tar\.gz|cache|seal|unpacked))$|\.skillpack-backups\/|(?:^|\/)x\/[^/]+$/u;
    if (
      entry.isFile() &&
      (!verbatim.test(path.split(sep).join('/')) || /manifest\.json$|receipt\.json$|skillpack\.json$/u.test(path))
    ) {
      found.set(path, readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    }
  }
  return found;
}

// What a terminal gets of our own: colours, the line of progress that is drawn over, and the line ends of the terminal.
// oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
const ours = /\u001B\[(?:0|1|2|22|31|32|33|36|39)m|\r\u001B\[2K|\r(?=\r*\n)/gu;
const withoutTerminals = windows || spawnSync('script', ['-qec', 'true', '/dev/null']).status !== 0;

test.skipIf(withoutTerminals)(
  'a terminal gets colours and a line of progress from us, and nothing else',
  { timeout: 120_000 },
  async () => {
    const colours = new Set<string>();
    for (const words of [
      ['list'],
      ['inspect', 'x', '--body'],
      ['verify'],
      ['outdated'],
      ['search', 'x'],
      ['install', `evil/x@${nasty}`, '--verbose'],
      ['doctor'],
      ['lint', '.agents'],
    ]) {
      const world = hostile.copy();
      const quoted = [process.execPath, command, ...words].map((word) => `'${word}'`).join(' ');
      const child = spawn('script', ['-qec', quoted, '/dev/null'], {
        cwd: world.project,
        env: {
          PATH: process.env['PATH'],
          HOME: world.home,
          TERM: 'xterm-256color',
          SKILLS_REGISTRY: world.path('registry'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { stdout } = await finished(child);
      for (const [sequence] of stdout.matchAll(ours)) colours.add(sequence);
      expect(stdout, words[0]).not.toBe('');
      expect(stdout.replaceAll(ours, ''), words.join(' ')).not.toMatch(harmful);
      world.remove();
    }
    expect(colours).toContain('\u001B[1m');
  },
);

test.skipIf(windows)('the attack goes all the way, and is not turned away at the door', async () => {
  const world = hostile.copy();
  const env = { SKILLS_REGISTRY: world.path('registry') };
  const { exitCode, stdout } = await world.run(['inspect', 'evil/x', '--remote'], { env });
  expect([exitCode, stdout.includes('<U+202E>gpj.exe')]).toEqual([0, true]);
  const own = await world.run(['inspect', 'x', '--json'], { env });
  expect(own.json().data.installed.source.location).toContain('registry');
  const report = await world.run(['eval', 'report', 'part', '--reporter', 'console,html,markdown']);
  expect([report.exitCode, report.stdout.includes('gpj.exe')], report.stderr).toEqual([1, true]);
  expect(readFileSync(join(world.project, 'part', 'report.html'), 'utf8')).toContain('gpj.exe');
  const imported = await world.run(['eval', 'import', 'other.json']);
  expect([imported.exitCode, imported.stdout.includes('gpj.exe')], imported.stderr).toEqual([0, true]);
  world.remove();
});
