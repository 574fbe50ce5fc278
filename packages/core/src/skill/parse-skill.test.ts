import { expect, test } from 'vitest';
import { SkillsError } from '../errors/skills-error.js';
import { parseSkill, parseSkillHead } from './parse-skill.js';
import type { ParseSkillOptions } from './parse-skill-options.js';
import { readSkill } from './read-skill.js';
import type { Skill } from './skill.js';
import type { SkillDiagnosticCode } from './skill-diagnostic.js';

const description = 'Work with PDF files. Use when asked about one.';

function file(...lines: readonly string[]): string {
  return `---\n${lines.join('\n')}\n---\nBody.\n`;
}

function read(source: string, options: ParseSkillOptions = {}): Skill {
  const parse = parseSkill(source, { folder: 'pdf', ...options });
  if (parse.kind === 'refused') throw new Error(JSON.stringify(parse.diagnostics));
  return parse.skill;
}

function codes(source: string, options: ParseSkillOptions = {}): readonly SkillDiagnosticCode[] {
  return parseSkill(source, { folder: 'pdf', ...options }).diagnostics.map(({ code }) => code);
}

function pdf(...lines: readonly string[]): string {
  return file('name: pdf', `description: ${description}`, ...lines);
}

test('SAA-02: every field of the specification is read, and what a skill does not say is undefined', () => {
  const full = read(
    pdf(
      'license: Apache-2.0',
      'compatibility: Needs git',
      'metadata:',
      '  author: me',
      '  version: "1.0"',
      'allowed-tools: Bash(git:*) Read',
    ),
  );
  expect(full).toEqual({
    name: 'pdf',
    description,
    license: 'Apache-2.0',
    compatibility: 'Needs git',
    metadata: { author: 'me', version: '1.0' },
    allowedTools: ['Bash(git:*)', 'Read'],
    version: '1.0',
    author: 'me',
    modelInvocable: true,
    userInvocable: true,
    runMode: 'inline',
    frontMatter: {
      name: 'pdf',
      description,
      license: 'Apache-2.0',
      compatibility: 'Needs git',
      metadata: { author: 'me', version: '1.0' },
      'allowed-tools': 'Bash(git:*) Read',
    },
    body: 'Body.\n',
    bodyLine: 11,
  });
  expect(read(pdf())).toMatchObject({
    license: undefined,
    compatibility: undefined,
    metadata: {},
    allowedTools: undefined,
    version: undefined,
    author: undefined,
  });
});

test('SAA-08: a name that breaks the rule loads under lenient with a warning, and strict refuses it', () => {
  const parse = parseSkill(file('name: PDF Tools', `description: ${description}`), { folder: 'PDF Tools' });
  expect(parse).toMatchObject({
    kind: 'skill',
    skill: { name: 'PDF Tools' },
    diagnostics: [{ code: 'name-invalid', severity: 'warning', line: 2, column: 1, fix: 'Call it pdf-tools.' }],
  });
  expect(
    parseSkill(file('name: PDF Tools', `description: ${description}`), { folder: 'PDF Tools', profile: 'strict' }).kind,
  ).toBe('refused');
});

test('SAA-09: of a longer description the first 1,024 characters are kept, with a warning, never half of one', () => {
  const long = parseSkill(file('name: pdf', `description: ${'x'.repeat(1023)}😀 and more`), { folder: 'pdf' });
  expect(long).toMatchObject({ kind: 'skill', skill: { description: 'x'.repeat(1023) } });
  expect(long.diagnostics).toMatchObject([{ code: 'description-too-long', severity: 'warning', line: 3 }]);
});

test('SAA-10: a missing name is that of the folder, and a skill without description is for people alone', () => {
  expect(read(file(`description: ${description}`))).toMatchObject({ name: 'pdf', modelInvocable: true });
  expect(read(file('name: pdf'))).toMatchObject({ description: undefined, modelInvocable: false, userInvocable: true });
  for (const source of [file(`description: ${description}`), file('name: pdf')]) {
    expect(parseSkill(source, { folder: 'pdf', profile: 'strict' }).kind).toBe('refused');
  }
  expect(codes(file(`description: ${description}`), { folder: undefined })).toEqual(['name-unknown']);
});

test.each([
  ['allowed-tools: Bash(git:*, rm) Read'],
  ['allowed-tools: Bash(git:*, rm), Read'],
  ['allowed-tools: "Bash(git:*, rm),Read"'],
  ['allowed-tools: [ "Bash(git:*, rm)", Read ]'],
  ['allowed-tools:\n- Bash(git:*, rm)\n- Read'],
  ['allowed-tools:\n- Bash(git:*, rm) Read'],
  ['allowed-tools: >-\n  Bash(git:*, rm)\n  Read'],
  ['allowed_tools: Bash(git:*, rm) Read'],
  ['allowedTools:\n  - Bash(git:*, rm)\n  - Read'],
])('SAA-11: %j allows two tools', (line) => {
  expect(read(pdf(line)).allowedTools).toEqual(['Bash(git:*, rm)', 'Read']);
});

test('SPEC-05: the proper spelling of allowed-tools wins over the others, and what cannot be read allows nothing', () => {
  expect(read(pdf('allowedTools: Write', 'allowed-tools: Read')).allowedTools).toEqual(['Read']);
  expect(read(pdf('allowed-tools: { Bash: true }')).allowedTools).toEqual([]);
  expect(read(pdf('allowed-tools:')).allowedTools).toEqual([]);
});

test('AGIO-03: metadata is kept as it stands, versions stay the text they are', () => {
  expect(
    read(pdf('version: 1.10', 'metadata:', '  short: 1.50', '  count: 3', '  on: true', '  tool: { bins: [git, jq] }')),
  ).toMatchObject({
    version: '1.10',
    metadata: { short: '1.50', count: 3, on: true, tool: { bins: ['git', 'jq'] } },
    frontMatter: { version: '1.10' },
  });
});

test('AGIO-04: strict refuses a file without front matter, in one clear sentence', () => {
  const attempt = (): unknown => readSkill('# PDF\n', { folder: 'pdf', profile: 'strict' });
  expect(attempt).toThrow('pdf/SKILL.md, line 1: The file begins with “# PDF”, not with front matter.');
  expect(attempt).toThrow(expect.toSatisfy((error) => SkillsError.is(error, 'INVALID_FRONTMATTER')));
});

test('AGIO-19: what kind of failure it was can be told by its code: not readable, or against a rule', () => {
  const code = (source: string): string | undefined => {
    try {
      readSkill(source, { folder: 'pdf', profile: 'strict' });
    } catch (error) {
      return SkillsError.is(error) ? error.code : undefined;
    }
    return undefined;
  };
  expect(code('---\nname: [\n---\n')).toBe('INVALID_FRONTMATTER');
  expect(code(file('name: pdf'))).toBe('INVALID_SKILL');
  expect(code(pdf())).toBeUndefined();
});

test('PSA-40: a refused file names every reason, with code, line and fix, for programs', () => {
  try {
    readSkill(file('name: PDF', 'model: x'), { folder: 'pdf', profile: 'strict' });
    expect.unreachable();
  } catch (error) {
    if (!SkillsError.is(error, 'INVALID_SKILL')) throw error;
    expect(error.data['diagnostics']).toMatchObject([
      { code: 'description-missing', line: 1 },
      { code: 'name-invalid', line: 2 },
      { code: 'name-not-folder', line: 2 },
      { code: 'unknown-field', line: 3 },
    ]);
    expect(error.hint).toMatch(/\S/u);
  }
});

test('PSA-16: version, author, flags and run mode are read, at the top or from the metadata', () => {
  expect(
    read(
      pdf(
        'version: 2.0',
        'author: me',
        'disable-model-invocation: true',
        'user-invocable: false',
        'run-mode: subagent',
      ),
    ),
  ).toMatchObject({
    version: '2.0',
    author: 'me',
    modelInvocable: false,
    userInvocable: false,
    runMode: 'subagent',
  });
  expect(read(pdf('metadata: { version: 1.2.3, author: { name: me } }'))).toMatchObject({
    version: '1.2.3',
    author: 'me',
  });
  expect(read(pdf('author:', '  name: me', '  email: a@b'))).toMatchObject({ author: 'me' });
  expect(read(pdf('version: 2', 'metadata: { version: 1 }')).version).toBe('2');
  expect(codes(pdf('run-mode: elsewhere'))).toEqual(['value-ignored']);
  expect(codes(pdf('disable-model-invocation: perhaps'))).toEqual(['value-ignored']);
});

test('PSA-17: angle brackets in front matter are refused by the rule noAngleBrackets, and only by it', () => {
  const source = file('name: pdf', 'description: Turns <b> into bold');
  expect(read(source).description).toBe('Turns <b> into bold');
  const ruled = parseSkill(source, { folder: 'pdf', rules: { noAngleBrackets: true } });
  expect(ruled).toMatchObject({ kind: 'refused', diagnostics: [{ code: 'rule-angle-brackets', line: 3, column: 1 }] });
  for (const line of ['description: ends with >', 'metadata: { a: [{ "<b>": c }] }']) {
    expect(codes(file('name: pdf', line), { rules: { noAngleBrackets: true } })).toContain('rule-angle-brackets');
  }
  const folded = file('name: pdf', 'description: >-', '  No brackets here, though YAML uses one.');
  expect(parseSkill(folded, { folder: 'pdf', rules: { noAngleBrackets: true } }).kind).toBe('skill');
});

test('PSA-18: a long body is a warning, and refused only by the rule maxBodyLines', () => {
  const source = `${pdf()}${'line\n'.repeat(600)}`;
  expect(codes(source)).toEqual(['body-long']);
  expect(read(source).body.split('\n')).toHaveLength(602);
  expect(codes(source, { rules: { maxBodyLines: 601 } })).toEqual(['body-long']);
  expect(parseSkill(source, { folder: 'pdf', rules: { maxBodyLines: 600 } })).toMatchObject({
    kind: 'refused',
    diagnostics: [{ code: 'rule-body-lines' }],
  });
});

test('PSA-19: invisible characters leave the body, each named with its line and column; line ends become LF', () => {
  const source = pdf().replace('Body.\n', 'a\u200Bb\r\nc \u202Ed\re\u2028f 👩\u200D👧 \u0007\n');
  const parse = parseSkill(source, { folder: 'pdf' });
  expect(parse).toMatchObject({ kind: 'skill', skill: { body: 'ab\nc d\ne\nf 👩\u200D👧 \n' } });
  expect(parse.diagnostics.filter(({ code }) => code === 'invisible-character')).toMatchObject([
    { line: 5, column: 2, message: 'The invisible character <U+200B> was found.' },
    { line: 6, column: 3, message: 'The invisible character <U+202E> was found.' },
    { line: 7, column: 2, message: 'The invisible character <U+2028> was found.' },
    { line: 7, column: 11, message: 'The invisible character <U+0007> was found.' },
  ]);
});

test('SPEC-01: a skill is its SKILL.md; nothing is demanded of the folder around it', () => {
  expect(parseSkill(pdf()).kind).toBe('skill');
});

test.each([
  ['pdf', []],
  ['3d', []],
  ['a', []],
  ['Pdf', ['name-invalid']],
  ['-pdf', ['name-invalid']],
  ['pdf-', ['name-invalid']],
  ['p--f', ['name-invalid']],
  ['p.f', ['name-invalid']],
  ['p'.repeat(65), ['name-invalid']],
  ['été', ['name-not-ascii']],
  ['数据', ['name-not-ascii']],
])('SPEC-02: the name %s, in its folder, is judged %j; strict refuses all that lenient reports', (name, expected) => {
  const source = file(`name: ${name}`, `description: ${description}`);
  expect(codes(source, { folder: name })).toEqual(expected);
  expect(parseSkill(source, { folder: name, profile: 'strict' }).kind).toBe(
    expected.length === 0 ? 'skill' : 'refused',
  );
});

test('SPEC-02: a name composed another way than that of its folder is the same name', () => {
  expect(codes(file('name: "caf\u00E9"', `description: ${description}`), { folder: 'cafe\u0301' })).toEqual([
    'name-not-ascii',
  ]);
});

test('SPEC-03: strict wants 1 to 1,024 characters of description', () => {
  const kind = (text: string): string =>
    parseSkill(file('name: pdf', `description: ${text}`), { folder: 'pdf', profile: 'strict' }).kind;
  expect([kind('x'), kind('x'.repeat(1024)), kind('x'.repeat(1025)), kind('""'), kind('')]).toEqual([
    'skill',
    'skill',
    'refused',
    'refused',
    'refused',
  ]);
});

test('SPEC-04: compatibility has at most 500 characters under strict; lenient warns and keeps it whole', () => {
  const source = pdf(`compatibility: ${'c'.repeat(501)}`);
  expect(read(source).compatibility).toHaveLength(501);
  expect(codes(source)).toEqual(['compatibility-too-long']);
  expect(parseSkill(source, { folder: 'pdf', profile: 'strict' }).kind).toBe('refused');
  expect(codes(pdf('metadata: { a: { b: c } }'), { profile: 'strict' })).toEqual(['metadata-not-strings']);
});

test('SPEC-06: the body has no format; over 500 lines there is a warning under either profile', () => {
  const source = `${pdf()}${'x\n'.repeat(500)}`;
  expect(codes(source)).toEqual(['body-long']);
  expect(codes(source, { profile: 'strict' })).toEqual(['body-long']);
});

test('SPEC-08: of a file whose beginning alone is given, the head is read as from the whole', () => {
  const source = `${pdf('license: MIT')}${'long body '.repeat(10_000)}`;
  const bytes = new TextEncoder().encode(source.replace('long', 'ł'));
  const head = parseSkillHead(bytes.subarray(0, bytes.indexOf(0xc5) + 1), { folder: 'pdf', partial: true });
  const whole = parseSkill(bytes, { folder: 'pdf' });
  expect(head.diagnostics).toEqual([]);
  expect(whole.kind === 'skill' && head.kind === 'skill' && whole.skill).toMatchObject(
    head.kind === 'skill' ? head.skill : {},
  );
});

test('SPEC-09: unknown fields are kept verbatim by lenient, and refused by strict', () => {
  const source = pdf('argument-hint: "[file]"', 'hooks: { PreToolUse: [{ matcher: Bash }] }');
  expect(read(source).frontMatter).toMatchObject({
    'argument-hint': '[file]',
    hooks: { PreToolUse: [{ matcher: 'Bash' }] },
  });
  expect(codes(source, { profile: 'strict' })).toEqual(['unknown-field', 'unknown-field']);
});

test('keys with a meaning to JavaScript change no object but the front matter they stand in', () => {
  const { frontMatter } = read(
    pdf('constructor: { prototype: { polluted: true } }', '__proto__: { polluted: true }', 'toString: x'),
  );
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(frontMatter)).toBe(Object.prototype);
  expect(Object.hasOwn(frontMatter, '__proto__')).toBe(false);
  expect(frontMatter['toString']).toBe('x');
});

test('lines and columns are those of the file, whatever stood before the front matter and however deep a field lies', () => {
  const source =
    '\uFEFF\r\n<!-- c -->\r\n---\r\nname: pdf\r\ndescription: a: b\r\nmetadata:\r\n  in: x\r\n  note: c: d\r\n---\r\n';
  const found = parseSkill(source, { folder: 'pdf' }).diagnostics.filter(({ code }) => code === 'unquoted-colon');
  expect(found.map(({ line, column }) => [line, column])).toEqual([
    [5, 15],
    [8, 10],
  ]);
});
