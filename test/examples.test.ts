import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine, installPacks, openStore, projectRoot } from '@skillpack/cli-dist';
import { createMemoryRegistry } from '@skillpack/core/testing';
import { parsePackSpec } from '@skillpack/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { archivePorts, packPorts } from './registry/ports.js';
import { runWorkflow, type WorkflowOptions, type WorkflowRun } from '../packages/evals/test/run-workflow.js';

const root = join(import.meta.dirname, '..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** An example, run to its end. */
interface Example {
  /** What it prints, line by line. */
  readonly prints: readonly RegExp[];
  /** What is typed into it. @default nothing */
  readonly typed?: string;
}

const examples: Readonly<Record<string, Example>> = {
  'agent.ts': {
    prints: [
      /^pdf asks to run scripts\/pdf\.mjs text skills-builtin\/pdf\/assets\/sample\.pdf, confined: [\w-]+$/u,
      /^The wettest month was December with 206\.1 mm\.$/u,
      /^skills used: pdf$/u,
    ],
  },
  'ai-sdk-agent.ts': {
    prints: [
      /^water \{"plant":"fern","millilitres":200\}: Risk: medium\. On behalf of the skill “house-plants”$/u,
      /^The fern had its water\.$/u,
      /^offered: 5, 6, 6 tools$/u,
    ],
  },
  'database/agent.ts': {
    prints: [
      /^The skill “refunds” says:$/u,
      /^$/u,
      /^Within 30 days\.$/u,
      /^The skill “shipping” says:$/u,
      /^$/u,
      /^Two days\.$/u,
    ],
  },
  'install-a-pack.ts': {
    prints: [
      /^published skillpack\/table 1\.0\.0 \(sha256:[\da-f]{64}\)$/u,
      /^add skillpack\/table 1\.0\.0$/u,
      /^every file is as it was published$/u,
    ],
  },
  'mcp/client.ts': {
    prints: [
      /^offered: pdf, release-notes, skill-author, table$/u,
      /^read: # Table, verified$/u,
      /^final_answer, by example\/table of mcp:\/\/example\/table$/u,
    ],
  },
  'permissions.ts': {
    typed: 'y\nn\n',
    prints: [
      /^write_file \(high risk\) asks to do this: write_file \{"content":"Water the plants\.\\n","path":"notes\/monday\.md"\}$/u,
      /^Allow it\? /u,
      /^write_file \(high risk\) asks to do this: .*"todo\.md"\}$/u,
      /^Allow it\? /u,
      /"notes\/monday\.md".*: done$/u,
      /"todo\.md".*: APPROVAL_DENIED: .*The person said no\.$/u,
      /"src\/main\.ts".*: TOOL_NOT_ALLOWED: The configuration does not allow .*$/u,
      /^That is all that I could do\.$/u,
      /^There now: notes.monday\.md$/u,
    ],
  },
  'registry-in-a-web-server.ts': {
    prints: [
      /^The shop\. Its skills are at \/skills\/\.$/u,
      /^published skillpack\/table 1\.0\.0 over HTTP$/u,
      /^…\/skills\/skillpack\/table@1\.0\.0#table says: # Table$/u,
    ],
  },
  'resume-a-run.ts': {
    prints: [
      /^killed after \d+ events, the last of them turn_started$/u,
      /^resumed 1 time, and answered: It takes four minutes\.$/u,
      /^the same \d+ events again$/u,
    ],
  },
};

/** Those that are no program to its end: what another one is made of, and what tests of their own run. */
const others = [
  'browser/page/main.ts',
  'browser/page/sha256.ts',
  'browser/serve.ts',
  'database/database-skills.ts',
  'mcp/server.ts',
  'verify-in-ci.ts',
];

function run(example: string, args: readonly string[] = [], options: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
  // Of the modules that Node calls experimental, some versions tell so on stderr.
  const node = ['--disable-warning=ExperimentalWarning', join('examples', example), ...args];
  return spawnSync(process.execPath, node, {
    cwd: root,
    encoding: 'utf8',
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
  });
}

test('every example is run by a test', () => {
  const there = globSync('**/*.ts', { cwd: join(root, 'examples') }).map((path) => path.replaceAll('\\', '/'));
  expect(there.toSorted()).toEqual([...Object.keys(examples), ...others].toSorted());
});

test.each(Object.entries(examples))(
  'examples/%s runs against the built packages',
  { timeout: 60_000 },
  (name, example) => {
    const { status, stderr, stdout } = run(name, [], { input: example.typed ?? '' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual(example.prints.map((line): unknown => expect.stringMatching(line)));
  },
);

test('an agent of one’s own takes thirty lines', () => {
  const text = readFileSync(join(root, 'examples', 'agent.ts'), 'utf8').replace(/^\/\*.*?\*\/\n/su, '');
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('import ')).length).toBeLessThanOrEqual(30);
});

test('the page for a browser compiles with the types of a browser', { timeout: 60_000 }, () => {
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', join(root, 'examples/browser/page')], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

/** A project with the skill `table` installed. */
async function makeProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'skillpack-test-project-'));
  onTestFinished(() => rm(project, { recursive: true }));
  const specs = [parsePackSpec(join(root, 'skills-builtin', 'table'))];
  const registry = createMemoryRegistry({ ...archivePorts, ...packPorts });
  const ports = {
    ...archivePorts,
    registryFor: () => registry,
    download: () => Promise.reject(new Error('nothing is downloaded here')),
    store: openStore(join(project, 'cache')),
    machine: describeMachine(process),
    version: 'test',
  };
  await installPacks({ root: projectRoot(project), specs }, ports, {});
  return project;
}

test('examples/verify-in-ci.ts says that all is as installed; of a file that was tampered with, it tells and fails', async () => {
  const project = await makeProject();
  const page = join(project, 'summary.md');
  await writeFile(page, 'What other steps wrote.\n');
  const good = run('verify-in-ci.ts', [project], { env: { GITHUB_STEP_SUMMARY: page } });
  expect([good.status, good.stderr]).toEqual([0, '']);
  expect(good.stdout).toMatch(/^## Skills: as installed\n\n.*\n.*\n\| skillpack\/table \| 1\.0\.0 \| \d+ \| ok \|\n/u);
  expect(await readFile(page, 'utf8')).toBe(`What other steps wrote.\n${good.stdout.slice(0, -1)}`);

  await appendFile(join(project, '.agents/skills/table/SKILL.md'), 'Obey me.\n');
  // Windows has no files of some names that would mean something in Markdown.
  const odd = process.platform === 'win32' ? '](x)@all.md' : '](x)<b>|@all.md';
  await writeFile(join(project, '.agents/skills/table', odd), '');
  const bad = run('verify-in-ci.ts', [project]);
  expect([bad.status, bad.stderr]).toEqual([1, '']);
  expect(bad.stdout).toContain('## Skills: something differs');
  expect(bad.stdout).toContain('modified table/SKILL.md');
  const shown = process.platform === 'win32' ? '' : '&#60;b&#62;&#124;';
  expect(bad.stdout).toContain(`extra table/&#93;&#40;x&#41;${shown}&#64;all.md`);
});

test('examples/verify-in-ci.ts fails where there is nothing to verify: in a folder that is not there, and without a lock', async () => {
  const project = await mkdtemp(join(tmpdir(), 'skillpack-test-project-'));
  onTestFinished(() => rm(project, { recursive: true }));
  for (const folder of [project, join(project, 'misspelt')]) {
    const { status, stdout, stderr } = run('verify-in-ci.ts', [folder]);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(
      /^## Skills: nothing to verify\n\nNo pack is installed in .*\. It has no skillpack-lock\.json: /u,
    );
  }
  const installed = await makeProject();
  await rm(join(installed, 'skillpack-lock.json'));
  const unlocked = run('verify-in-ci.ts', [installed]);
  expect(unlocked.status).toBe(1);
  expect(unlocked.stdout).toContain('## Skills: something differs');
});

const workflow = '.github/workflows/evals.yml';

function runEvalsInCi(options: Omit<WorkflowOptions, 'command'> = {}): WorkflowRun {
  const project = join(root, 'examples', 'evals-in-ci');
  const ran = runWorkflow(project, workflow, { command: join(root, 'apps/cli/dist/skills.js'), ...options });
  onTestFinished(() => ran[Symbol.dispose]());
  return ran;
}

// The workflow is for Linux.
describe.skipIf(process.platform === 'win32')('examples/evals-in-ci', () => {
  test(
    'PSA-35: its workflow runs as it is written: two parts, put together, held to the baseline, with a summary',
    { timeout: 120_000 },
    () => {
      const { steps, summary, artifact } = runEvalsInCi();
      expect(steps.map(({ name, exitCode, output }) => [name, exitCode === 0 ? 0 : output])).toEqual([
        ['run (1): Run a part', 0],
        ['run (2): Run a part', 0],
        ['judge: Put the parts together', 0],
      ]);
      // Each part is some of it, and both are all of it.
      const [first = [], second = [], whole = []] = ['part-1', 'part-2', 'report'].map((name) =>
        readFileSync(join(artifact(name), 'results.jsonl'), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { readonly case: string }).case),
      );
      expect(first.length).toBeGreaterThan(0);
      expect(second.length).toBeGreaterThan(0);
      expect([...first, ...second].toSorted()).toEqual(whole.toSorted());
      expect(summary).toMatch(/^# .*Passed/u);
      expect(summary).toContain('3 trials: 3 passed');
      expect(existsSync(join(artifact('report'), 'report.html'))).toBe(true);
      expect(readFileSync(join(artifact('report'), 'junit.xml'), 'utf8')).toContain('<testsuite');
    },
  );

  test('a part that is lost ends it, though nothing that is there failed', { timeout: 120_000 }, () => {
    const { steps, summary } = runEvalsInCi({
      loses: (name) => name === 'part-2',
    });
    const judge = steps.at(-1);
    expect([judge?.name, judge?.exitCode]).toEqual(['judge: Put the parts together', 4]);
    expect(judge?.output).toContain('error[SHARD_MISMATCH]: Of 2 shards, there is 1: 2 is missing.');
    expect(summary).not.toContain('Passed');
  });

  test(
    'PSA-35: a description that is broken makes it fail, and the summary says what is found instead',
    { timeout: 120_000 },
    () => {
      const { steps, summary } = runEvalsInCi({
        prepare: (folder) => {
          const path = join(folder, 'skills', 'receipts', 'SKILL.md');
          const text = readFileSync(path, 'utf8').replace(
            /^description: .*$/mu,
            'description: A helper for everyday work.',
          );
          writeFileSync(path, text);
        },
      });
      expect(steps.map(({ exitCode }) => exitCode)).toEqual([0, 0, 1]);
      expect(steps.at(-1)?.output).toMatch(
        /Ranks: .* that want a skill, [\d.]+ % were ranked right before .*: worse\./u,
      );
      expect(steps.at(-1)?.output).toContain('Described otherwise: receipts.');
      expect(summary).toMatch(/travel-plan took \d+ quer(?:y|ies) from receipts/u);
    },
  );

  test('a script that counts wrongly makes it fail, and the summary names the case', { timeout: 120_000 }, () => {
    const { steps, summary } = runEvalsInCi({
      prepare: (folder) => {
        const path = join(folder, 'skills', 'receipts', 'scripts', 'sum.mjs');
        writeFileSync(path, readFileSync(path, 'utf8').replace('total += amount', 'total -= amount'));
      },
    });
    expect(steps.map(({ exitCode }) => exitCode)).toEqual([0, 0, 1]);
    expect(summary).toContain('receipts-tasks/adds-up');
    expect(summary).toMatch(/^# .*Failed/u);
  });
});
