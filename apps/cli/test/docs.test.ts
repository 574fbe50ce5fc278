import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCodes, SkillsError, type ErrorCode } from '@skillpack/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandTable } from '../src/frame/command-table.js';
import { exitCodeOf } from '../src/frame/exit-code.js';
import { makeSkill } from './make-skill.js';
import { createWorld, type World } from './run-skills.js';

// `UPDATE_DOCS=1 vitest run apps/cli/test/docs.test.ts` writes the present help into the page.
const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'cli.md');
const update = process.env['UPDATE_DOCS'] === '1';

let world: World;
beforeAll(() => {
  world = createWorld();
});
afterAll(() => world.remove());

function sectionOf(page: string, name: string): string {
  const start = page.indexOf(`\n### skills ${name}\n`);
  expect(start, `docs/cli.md has no section “skills ${name}”`).toBeGreaterThan(-1);
  const end = page.slice(start + 1).search(/\n#{2,3} /u);
  return end === -1 ? page.slice(start) : page.slice(start, start + 1 + end);
}

test.each(commandTable.map(({ name }) => name))('the reference shows the help of skills %s as it is', async (name) => {
  const { stdout } = await world.run([...name.split(' '), '--help']);
  const own = stdout.replace(/\nGlobal Options:\n(?: .*\n)+/u, '').trimEnd();
  const page = readFileSync(path, 'utf8');
  const section = sectionOf(page, name);
  const block = /```text\n[\s\S]*?\n```/u.exec(section)?.[0];
  expect(block, `the section “skills ${name}” has no text block`).toBeDefined();
  const wanted = `\`\`\`text\n${own}\n\`\`\``;
  if (update)
    writeFileSync(
      path,
      page.replace(
        section,
        section.replace(block ?? '', () => wanted),
      ),
    );
  else expect(block).toBe(wanted);
});

/** The fields that the section of a command says its JSON data has. */
function fieldsOf(name: string): string[] {
  const section = sectionOf(readFileSync(path, 'utf8'), name);
  return (/`--json` data(?: of a skill)?: `\{ ([^`]*) \}`/u.exec(section)?.[1] ?? '').split(', ');
}

test('the reference names the fields of the JSON data as they are', { timeout: 120_000 }, async () => {
  const source = makeSkill(world.path('source', 'tool'), { pack: { name: 'acme/tool', version: '1.0.0' } });
  const cases = join(source, 'evals', 'triggers.json');
  mkdirSync(dirname(cases));
  writeFileSync(cases, JSON.stringify([{ query: 'Use the tool, please.', should_trigger: true }]));
  const env = { SKILLS_REGISTRY: world.path('registry') };
  const lines: readonly (readonly [name: string, ...words: string[]])[] = [
    ['init', 'new'],
    ['lint', source],
    ['pack', source],
    ['publish', source],
    ['registry build', world.path('registry')],
    ['search', 'tool'],
    ['install', 'acme/tool'],
    ['verify'],
    ['list'],
    ['inspect', 'tool'],
    ['outdated'],
    ['doctor'],
    ['uninstall', 'tool'],
    ['run', 'tool', '--model', 'scripted'],
    ['runs list'],
    ['runs show', 'last'],
    ['runs replay', 'last'],
    ['eval', source, '--out', 'evals'],
    ['eval compare', 'evals', 'evals'],
    ['eval import', cases],
    ['eval export', cases, '--to', 'trigger-list'],
    ['cache info'],
    ['cache verify'],
    ['cache clean'],
  ];
  for (const [name, ...words] of lines) {
    const answer = await world.run([...name.split(' '), ...words, '--json'], { env });
    expect(answer.exitCode, `${name}: ${answer.stdout}`).toBe(0);
    expect(new Set(Object.keys(answer.json().data as object)), name).toEqual(new Set(fieldsOf(name)));
  }
});

test('the reference names every option that all commands have', async () => {
  const { stdout } = await world.run(['--help']);
  const page = readFileSync(path, 'utf8');
  for (const [, flag] of stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gmu)) expect(page).toContain(`\`${flag}`);
});

/** The text of every source of the command, without tests. */
function sources(): string {
  const folder = join(import.meta.dirname, '..', 'src');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

test('the reference names every environment variable that the command reads, and none that it does not', () => {
  const page = readFileSync(path, 'utf8');
  const text = sources();
  const read = new Set(
    [...text.matchAll(/\b(?:SKILLS_[A-Z]+|NO_COLOR|FORCE_COLOR|XDG_[A-Z_]+)\b/gu)].map(([name]) => name),
  );
  expect(read.size).toBeGreaterThan(8);
  const untold = [...read].filter((name) => !new RegExp(`[\`$]${name}\\b`, 'u').test(page));
  expect(untold).toEqual([]);
  const told = new Set([...page.matchAll(/\bSKILLS_[A-Z]+\b/gu)].map(([name]) => name));
  expect([...told].filter((name) => !read.has(name))).toEqual([]);
});

test('the reference names every field of config.json', () => {
  const page = readFileSync(path, 'utf8');
  const settings = page.slice(page.indexOf('\n### Settings'), page.indexOf('\n### Projects'));
  const source = readFileSync(join(import.meta.dirname, '..', 'src', 'settings', 'config-file.ts'), 'utf8');
  const fields = [...source.matchAll(/^ {2}readonly (\w+)\?:/gmu)].map(([, name]) => name ?? '');
  expect(fields).toEqual(expect.arrayContaining(['registry', 'model', 'limits', 'turns', 'timeout']));
  const untold = fields.filter((name) => !new RegExp(`[\`"]${name}[\`".]`, 'u').test(settings));
  expect(untold).toEqual([]);
});

test('the help names the exit codes that the reference has', async () => {
  const { stdout } = await world.run(['--help']);
  const [, line = ''] = /^Exit codes: ([\s\S]+)$/mu.exec(stdout) ?? [];
  const page = readFileSync(path, 'utf8');
  const inPage = [...page.matchAll(/^\| (\d+) +\|/gmu)].map(([, code]) => code);
  expect([...line.matchAll(/\b\d+\b/gu)].map(([code]) => code)).toEqual(inPage);
});

test('the reference states the exit code of every kind of error', () => {
  const page = readFileSync(path, 'utf8');
  const kinds = new Map(
    [...page.matchAll(/^\| (\d+) +\| .* \| ([a-z, -]*?) *\|$/gmu)].map(([, code, words]) => [
      Number(code),
      words ?? '',
    ]),
  );
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    expect(kinds.get(exitCodeOf(new SkillsError(code, '')))?.split(', ')).toContain(errorCodes[code].kind);
  }
});

test('the reference has no section of a command that is not there', () => {
  const page = readFileSync(path, 'utf8');
  const sections = [...page.matchAll(/^### skills (.+)$/gmu)].map(([, name]) => name);
  expect(sections).toEqual(commandTable.map(({ name }) => name));
});
