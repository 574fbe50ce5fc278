import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Outcome, runScript, skills, temporaryFolder } from './run-script.js';

/** A folder of a skill called `example` with these files. */
async function skillOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'example');
  await mkdir(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

function skillMd(front: string, body = 'Do this.'): string {
  return `---\n${front}\n---\n\n${body}\n`;
}

const good = 'name: example\ndescription: Paints fences in any colour. Use when the person asks for a painted fence.';

/** Runs the checker in a folder where no skills command can be found, unless `env` names one. */
async function check(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Outcome> {
  const nothing = { SKILLS_CLI: '', PATH: '', Path: '' };
  return runScript('skill-author/scripts/check.mjs', args, {
    cwd: await temporaryFolder(),
    env: { ...nothing, ...env },
  });
}

async function codes(folder: string, ...options: string[]): Promise<string[]> {
  const { stdout } = await check(['--json', ...options, folder]);
  const result = JSON.parse(stdout) as { skills: { findings: { severity: string; code: string; file: string }[] }[] };
  return result.skills.flatMap(({ findings }) =>
    findings.map(({ severity, code, file }) => `${severity} ${code} ${file}`),
  );
}

/** A program that stands for the skills command, so that the call and the answer can be seen. */
async function commandThatPrints(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'skills.mjs');
  await writeFile(
    file,
    `process.stdout.write(${JSON.stringify(text)}.replace('ARGS', process.argv.slice(2).join(' ')));`,
  );
  return file;
}

describe('alone', () => {
  test('finds nothing in a good skill, and says that it was alone', async () => {
    const folder = await skillOf({
      'SKILL.md': skillMd(good, 'Run `scripts/paint.mjs`, see [colours](references/colours.md#red).'),
      'scripts/paint.mjs': 'console.log(1);\n',
      'references/colours.md': '# Red\n',
      'LICENSE.txt': 'free',
    });
    const { code, stdout, stderr } = await check(['--strict', folder]);
    expect([code, stdout]).toEqual([0, `${folder}: nothing to mend\n`]);
    expect(stderr).toBe('note: the skills command was not found: the front matter was checked by this script alone\n');
    expect((await check(['--offline', folder])).stderr).toBe('');
  });

  test.each([
    ['no front matter', 'Just text.', 'error front-matter-missing'],
    ['no name', skillMd('description: Paints. Use when the person asks for a painted fence.'), 'error name-missing'],
    ['a name with capitals', skillMd(good.replace('example', 'Example')), 'error name-invalid'],
    ['a name with two hyphens', skillMd(good.replace('example', 'a--b')), 'error name-invalid'],
    ['a name that is not the folder', skillMd(good.replace('example', 'other')), 'warning name-not-folder'],
    ['no description', skillMd('name: example'), 'error description-missing'],
    ['a short description', skillMd('name: example\ndescription: Use when.'), 'warning description-short'],
    [
      'a long description',
      skillMd(`name: example\ndescription: Use when ${'x'.repeat(1024)}`),
      'error description-too-long',
    ],
    [
      'no occasion',
      skillMd(`name: example\ndescription: ${'Paints fences. '.repeat(5)}`),
      'warning description-no-trigger',
    ],
    ['an unquoted colon', skillMd(good.replace('Paints', 'Colour: paints')), 'warning unquoted-colon'],
    ['an unknown field', skillMd(`${good}\nversion: 1`), 'info unknown-field'],
    ['no body', skillMd(good, ''), 'warning body-empty'],
    ['a long body', skillMd(good, 'x\n'.repeat(501)), 'warning body-long'],
    ['a placeholder', skillMd(good, 'TODO write'), 'warning placeholder'],
    ['a missing file', skillMd(good, 'See [this](references/x.md).'), 'error link-missing'],
    ['a missing script', skillMd(good, 'Run `scripts/x.mjs`.'), 'error link-missing'],
    ['a path that leads out', skillMd(good, 'See [this](../other/x.md).'), 'warning file-outside'],
  ])('finds %s', async (_, text, expected) => {
    expect(await codes(await skillOf({ 'SKILL.md': text }))).toContain(`${expected} SKILL.md`);
  });

  test('reads quoted and folded values, lists and maps', async () => {
    const front =
      'name: "example"\ndescription: >-\n  Paints fences: all of them.\n  Use when asked.\nmetadata:\n  version: "1.0"\nallowed-tools:\n- Read\n# remark';
    expect(await codes(await skillOf({ 'SKILL.md': skillMd(front) }), '--strict')).toEqual([]);
    const windows = skillMd(good).replaceAll('\n', '\r\n');
    expect(await codes(await skillOf({ 'SKILL.md': windows }), '--strict')).toEqual([]);
  });

  test('looks at every file', async () => {
    const folder = await skillOf({
      'SKILL.md': skillMd(good, 'Run scripts/ok.sh.'),
      'scripts/ok.sh': '#!/bin/sh\r\n',
      'scripts/broken.mjs': 'const = 1;\n',
      'scripts/plain.py': 'print(1)\n',
      'assets/nowhere.png': 'x',
      '.env': 'TOKEN=x',
      '.DS_Store': 'x',
      'node_modules/x/index.js': 'syntax error here',
    });
    expect(await codes(folder)).toEqual([
      'warning stray-file .DS_Store',
      'error private-file .env',
      'warning stray-file node_modules',
      'info file-unmentioned assets/nowhere.png',
      'warning file-unmentioned scripts/broken.mjs',
      'warning file-unmentioned scripts/plain.py',
      'error script-broken scripts/broken.mjs',
      'error script-crlf scripts/ok.sh',
      'info script-no-shebang scripts/plain.py',
    ]);
  });

  test('wants no mention of the cases that a skill is tested with', async () => {
    const folder = await skillOf({
      'SKILL.md': skillMd(good),
      'evals/triggers.yaml': 'formatVersion: 1\n',
      'evals/files/report.pdf': 'x',
      'evals/checks/broken.mjs': 'const = 1;\n',
    });
    expect(await codes(folder)).toEqual(['error script-broken evals/checks/broken.mjs']);
  });

  test('never runs what it checks', async () => {
    const trap = join(await temporaryFolder(), 'sprung');
    const text = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(trap)}, '');`;
    const folder = await skillOf({ 'SKILL.md': skillMd(good, '`scripts/trap.mjs`'), 'scripts/trap.mjs': text });
    expect(await codes(folder)).toEqual([]);
    await expect(cp(trap, `${trap}2`)).rejects.toThrow('ENOENT');
  });

  test.skipIf(process.platform !== 'linux')('finds links and names that not every system can have', async () => {
    const folder = await skillOf({ 'SKILL.md': skillMd(good, 'a b'), 'a:b': '', 'README.md': 'a:b', 'readme.md': '' });
    await symlink('/etc/passwd', join(folder, 'link'));
    expect(await codes(folder)).toEqual([
      'error name-not-portable a:b',
      'error not-a-file link',
      'error names-collide readme.md',
      'info file-unmentioned link',
    ]);
  });

  test('says what is wrong with a folder that is none', async () => {
    expect(await codes(await skillOf({}))).toEqual(['error no-skill-md .']);
    expect(await codes(await skillOf({ 'skill.md': skillMd(good) }))).toEqual(['error no-skill-md .']);
    expect(await codes('/no/such/folder')).toEqual(['error no-folder .']);
    expect(await codes(await skillOf({ 'SKILL.md': Buffer.from([0xff, 0xfe, 0x41]) }))).toEqual(['error not-utf8 .']);
  });

  test('its template is a skill with nothing left to do but its placeholders', async () => {
    expect(await codes(join(skills, 'skill-author/assets/template'))).toEqual(['warning placeholder SKILL.md']);
  });
});

describe('with the skills command', () => {
  test('asks it, and adds what it finds in the folder', async () => {
    const folder = await skillOf({ 'SKILL.md': skillMd('name: Wrong'), 'scripts/lonely.mjs': '' });
    const diagnostic = { code: 'from-lint', severity: 'warning', message: 'ARGS', line: 7, fix: 'Mend it.' };
    const answer = JSON.stringify({ ok: true, data: { skills: [{ path: folder, diagnostics: [diagnostic] }] } });
    const { code, stdout, stderr } = await check([folder], { SKILLS_CLI: await commandThatPrints(answer) });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`  warning from-lint SKILL.md:7 lint --json ${folder} — Mend it.\n`);
    expect(stdout).toContain('warning file-unmentioned scripts/lonely.mjs');
    expect(stdout).not.toContain('name-invalid');
    const strict = await check(['--strict', folder], { SKILLS_CLI: await commandThatPrints(answer) });
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain(' lint --json --strict ');
  });

  test.each([
    '',
    'Unknown command: lint',
    '{"ok":false}',
    '{"data":{"skills":[]}}',
    '{"data":{"skills":[{"diagnostics":[1]}]}}',
  ])('does without one that answers %j', async (answer) => {
    const folder = await skillOf({ 'SKILL.md': skillMd(good.replace('example', 'Example')) });
    const { code, stdout, stderr } = await check([folder], { SKILLS_CLI: await commandThatPrints(answer) });
    expect(code).toBe(1);
    expect(stdout).toContain('error name-invalid');
    expect(stderr).toContain('did not answer as “skills lint --json” does');
  });

  test.skipIf(process.platform === 'win32')('finds it on the PATH and in node_modules', async () => {
    const folder = await skillOf({ 'SKILL.md': skillMd(good) });
    const bin = await temporaryFolder();
    const answer = JSON.stringify({
      data: { skills: [{ diagnostics: [{ code: 'found', severity: 'info', message: 'm', fix: 'f' }] }] },
    });
    await writeFile(join(bin, 'skills'), `#!/bin/sh\necho '${answer}'\n`);
    await chmod(join(bin, 'skills'), 0o755);
    expect((await check([folder], { PATH: bin })).stdout).toContain('info found SKILL.md m');
    const project = await temporaryFolder();
    const local = join(project, 'node_modules/skillpack/dist');
    await mkdir(local, { recursive: true });
    await mkdir(join(project, 'deep'));
    await writeFile(join(local, 'skills.js'), `process.stdout.write(${JSON.stringify(answer)});`);
    const outcome = await runScript('skill-author/scripts/check.mjs', [folder], {
      cwd: join(project, 'deep'),
      env: { SKILLS_CLI: '', PATH: '' },
    });
    expect(outcome.stdout).toContain('info found SKILL.md m');
  });
});

test('wrong usage ends with 2, help with 0', async () => {
  for (const args of [[], ['--nonsense']]) {
    expect(await check(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('error USAGE: ') as string,
    });
  }
  expect(await check(['--help'])).toMatchObject({ code: 0, stderr: '' });
});

test('nothing in its output can steer a terminal', async () => {
  const folder = await skillOf({ 'SKILL.md': skillMd('name: "x\u001B[31m\u202Ey"\ndescription: d') });
  const { stdout } = await check([folder]);
  expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
});
