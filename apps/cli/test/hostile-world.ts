import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createArchiveReader, createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import {
  formatManifest,
  formatRevocations,
  treeDigestOf,
  type PackFile,
  type PackManifest,
  type PackName,
} from '@skillpack/core';
import { createFolderRegistry } from '@skillpack/registry-http/server';
import { createWorld, type World } from './run-skills.js';

/** Clears the screen, sets the title of the window, writes over the line, turns the text around, hides a part of it. */
export const nasty = 'x\u001B[2J\u001B]0;owned\u0007\r\u009B31m\u202Egpj.exe\u202C\u200B\u{E0041}\u2028\u2066\uFEFFy';

/** What may never come out: every character that a terminal acts on, that turns text around, or that nobody sees. */
export const harmful =
  // oxlint-disable-next-line eslint/no-control-regex -- finding control characters is what it is for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|[\u{E0000}-\u{E007F}]/u;

/** A name that a file system takes. */
export const nastyName = nasty.replace('\r', '');

/** Where everything that a stranger has a hand in lies, and how it is copied for one run. */
export interface HostileWorld {
  /** A world of its own, with the project, the packs and the registry in it. */
  copy(): World;
  remove(): void;
}

/** The front matter and the body of a skill whose every text is an attack. */
const nastySkill = [
  '---',
  'name: x',
  `description: ${JSON.stringify(nasty)}`,
  `license: ${JSON.stringify(nasty)}`,
  `compatibility: ${JSON.stringify(nasty)}`,
  `allowed-tools: ${JSON.stringify(nasty)}`,
  'metadata:',
  `  author: ${JSON.stringify(nasty)}`,
  `  ${JSON.stringify(nasty)}: ${JSON.stringify(nasty)}`,
  `odd-${JSON.stringify(nasty)}: 1`,
  '---',
  '',
  `# ${nasty}`,
  '',
  `[link](${nasty})`,
  '',
].join('\n');

/** The archive of a pack whose every text is an attack. */
function nastyArchive(version: string): Uint8Array {
  const body = Buffer.from(nastySkill);
  const file: PackFile = { path: 'x/SKILL.md', size: body.length, digest: sha256(body), executable: false };
  const manifest: PackManifest = {
    name: 'evil/x' as PackName,
    version,
    description: nasty,
    license: nasty,
    keywords: [nasty],
    homepage: nasty,
    skills: [{ name: 'x', path: 'x', description: nasty }],
    dependencies: {},
    requires: { bins: [nasty], env: [nasty] },
    files: [file],
    treeDigest: treeDigestOf([file], sha256),
  };
  return createArchiveWriter().write(
    [
      { path: 'manifest.json', bytes: Buffer.from(formatManifest(manifest)), executable: false },
      { path: 'x/SKILL.md', bytes: body, executable: false },
    ],
    'tgz',
  );
}

/** An archive with an entry of a name that no honest writer writes. */
export function archiveOfNastyName(): Uint8Array {
  const name = Buffer.from(`x/${nastyName}`);
  const header = Buffer.alloc(512);
  name.copy(header);
  header.write('0000644\0' + '0000000\0'.repeat(2) + '00000000000\0'.repeat(2) + '        0', 100, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return gzipSync(Buffer.concat([header, Buffer.alloc(1024)]));
}

/** A model that says nothing but attacks, and does whatever it can with them. */
const nastyModel = {
  formatVersion: 1,
  replies: [
    { action: { kind: 'select_skills', skills: [{ name: 'x' }], reason: nasty } },
    { action: { kind: 'select_skills', skills: [{ name: nasty }], reason: nasty } },
    { action: { kind: 'load_resource', skill: { name: 'x' }, relative_path: nasty, section_hint: nasty } },
    {
      action: { kind: 'update_plan' },
      plan_update: {
        kind: 'replace',
        plan: { goal: nasty, steps: [], assumptions: [nasty], constraints: { [nasty]: nasty } },
      },
    },
    { action: { kind: 'run_script', skill: { name: 'x' }, relative_path: `scripts/${nasty}`, args: [nasty, nasty] } },
    { action: { kind: 'call_tool', tool: 'grep', input: { pattern: nasty, path: nasty, [nasty]: nasty } } },
    { action: { kind: 'search_skills', query: nasty } },
    { action: { kind: 'call_tool', tool: nasty, input: {} } },
    { action: { kind: 'disable_skill', skill: { name: nasty }, reason: nasty } },
    { action: { kind: 'final_answer', content: `${nasty}\n${nasty}` } },
  ].map((decide) => ({ decide })),
};

/** Records a run of that model, and as the last one a run that was cut off before its end. */
async function recordRuns(world: World): Promise<void> {
  const run = ['run', nasty, '--model', 'scripted:model.json', '--approve', 'run_script', '--trust-project'];
  for (const cutOff of [false, true]) {
    const { exitCode, stderr } = await world.run(run);
    if (exitCode !== 0) throw new Error(stderr);
    const folder = join(world.project, '.agents', 'runs');
    const record = join(folder, readdirSync(folder).toSorted().at(-1) ?? '');
    if (!cutOff) continue;
    const lines = readFileSync(join(record, 'events.jsonl'), 'utf8').split('\n');
    writeFileSync(join(record, 'events.jsonl'), lines.slice(0, -6).join('\n'));
    for (const name of ['run.json', 'final.md']) rmSync(join(record, name));
  }
}

/** Cases whose every text is an attack, for a skill that is one, and the same in the form of another tool. */
async function makeCases(world: World): Promise<void> {
  const skill = join(world.project, 'tested', 'x');
  mkdirSync(join(skill, 'evals'), { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), nastySkill);
  const expected = {
    skills: 'x',
    actions: [{ forbidden: { action: 'call_tool', tool: nasty } }],
    output: [{ contains: nasty }, { regex: nasty.replaceAll('[', '\\[') }, { rubric: nasty }],
  };
  const cases = [
    { id: 'task', title: nasty, input: nasty, expected, script: nastyModel },
    { id: 'choice', kind: 'trigger', title: nasty, input: nasty, expected: { skills: 'x' } },
  ];
  const suite = { formatVersion: 1, name: 'evil', skills: ['x'], cases };
  writeFileSync(join(skill, 'evals', 'cases.json'), JSON.stringify(suite));
  const other = {
    id: nasty,
    prompt: nasty,
    expected_output: nasty,
    assertions: [nasty],
    files: [nasty],
    [nasty]: nasty,
  };
  writeFileSync(join(world.project, 'other.json'), JSON.stringify({ skill_name: 'x', evals: [other], [nasty]: nasty }));
  const run = await world.run(['eval', 'tested', '--shard', '1/1', '--out', 'part']);
  if (run.exitCode !== 0) throw new Error(run.stderr);
  const lines = readFileSync(join(world.project, 'part', 'results.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean);
  const lies = lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), ...nastyResult }));
  writeFileSync(join(world.project, 'part', 'results.jsonl'), `${lies.join('\n')}\n`);
}

/** What whoever writes results can have said of a trial. */
const nastyResult = {
  outcome: 'failed',
  tags: [nasty],
  input: nasty,
  answer: nasty,
  fired: [nasty],
  reason: { code: 'INCONCLUSIVE', message: nasty },
  checks: [{ kind: 'output', text: nasty, verdict: 'failed', evidence: nasty }],
  steps: [{ seq: 1, kind: 'problem', label: nasty, start: 0, duration: 0, detail: nasty }],
  files: [{ path: nastyName, size: 1 }],
};

/** Makes a registry with everything that a registry can say of a pack, and a project in which its pack is installed. */
export async function makeHostileWorld(): Promise<HostileWorld> {
  const world = createWorld();
  const ports = { archives: createArchiveReader(), writer: createArchiveWriter(), now: () => new Date() };
  const folder = world.path('registry');
  const registry = createFolderRegistry(folder, ports, { id: nasty, name: nasty });
  const name = 'evil/x' as PackName;
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    await registry.publish({ archive: nastyArchive(version), format: 'tgz' });
  }
  writeFileSync(world.path('evil.tgz'), nastyArchive('1.0.0'));
  const { exitCode, stderr } = await world.run(['install', 'evil/x@1.0.0', '--registry', folder]);
  if (exitCode !== 0) throw new Error(stderr);
  await registry.yank({ name, version: '1.0.0' }, nasty);
  await registry.deprecate(name, nasty);
  writeFileSync(
    join(folder, 'revocations', 'latest.json'),
    formatRevocations([{ digest: sha256(nastyArchive('2.0.0')), reason: nasty }]),
  );
  for (const skill of [join(world.home, '.agents', 'skills', 'own'), world.path('author', 'x')]) {
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), nastySkill);
  }
  writeFileSync(
    world.path('author', 'x', 'skillpack.json'),
    JSON.stringify({ name: 'evil/x', version: '3.0.0', description: nasty, license: nasty, keywords: [nasty] }),
  );
  writeFileSync(join(world.project, 'model.json'), JSON.stringify(nastyModel));
  writeFileSync(join(world.project, 'AGENTS.md'), `${nasty}\n${nasty}\n`);
  await recordRuns(world);
  await makeCases(world);
  return {
    copy: () => {
      const copy = createWorld();
      cpSync(world.path(), copy.path(), { recursive: true, preserveTimestamps: true });
      return copy;
    },
    remove: () => world.remove(),
  };
}
