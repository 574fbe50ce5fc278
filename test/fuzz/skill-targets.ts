import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import {
  formatLockFile,
  lintSkill,
  parseLockFile,
  parseSkill,
  parseSkillHead,
  readSkill,
  SkillsError,
  skillDiagnostics,
  type LockFile,
} from '@skillpack/core';
import { formatJournal, readJournal, type Journal } from '../../packages/cli-dist/src/apply/journal.js';
import { IgnoreRules } from '../../packages/cli-dist/src/pack/ignore-rules.js';
import { anySkillSource, skillOptions } from '../../packages/core/test/any-skill-source.js';
import { sha256 } from '../../packages/core/test/sha256.js';
import { editedJson } from './edited-json.js';
import { fuzzTarget, refusedOr, type FuzzTarget } from './fuzz-target.js';
import { anyText, editedText } from './text-pieces.js';

const unwanted =
  /[^\P{Cc}\n\t]|[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/u;

const skill = fuzzTarget({
  name: 'skill',
  input: fc.record({ source: anySkillSource, options: skillOptions }),
  judge({ source, options }) {
    const parse = parseSkill(source, options);
    for (const one of [parse, parseSkillHead(source, options), lintSkill(source, [{ path: 'a.sh' }], options)]) {
      const failed = one.diagnostics.some(({ severity }) => severity === 'error');
      strictEqual(failed, one.kind === 'refused', 'an error and a refusal are not the same');
      for (const { code, message } of one.diagnostics) {
        strictEqual(code in skillDiagnostics, true, `${code} is no code`);
        strictEqual(unwanted.test(message), false, 'a message holds hidden characters');
      }
    }
    const read = refusedOr(['INVALID_SKILL', 'INVALID_FRONTMATTER'], () => readSkill(source, options));
    strictEqual(read !== undefined, parse.kind === 'skill', 'the throwing twin decides otherwise');
    if ('executed' in globalThis || 'polluted' in {}) throw new Error('Text of a SKILL.md was executed.');
    if (parse.kind === 'refused') return false;
    const { name, description, license, compatibility, version, author, allowedTools, body } = parse.skill;
    for (const text of [name, description, license, compatibility, version, author, ...(allowedTools ?? []), body]) {
      strictEqual(unwanted.test(text ?? ''), false, 'a text of the skill holds hidden characters');
    }
    return true;
  },
  sample: 600,
});

const lock: LockFile = { packs: Object.fromEntries(['a', 'm', 'z'].map((name) => [`org/${name}`, entryOf(name)])) };
const lockLines = formatLockFile(lock).split('\n');

function entryOf(name: string): LockFile['packs'][keyof LockFile['packs']] {
  const digest = sha256(name);
  return { source: 'folder', version: '1.0.0', path: name, treeDigest: digest, skills: [name], dependencies: {} };
}

const lockConflict = fuzzTarget({
  name: 'lock-conflict',
  input: fc.record({
    from: fc.nat(lockLines.length - 1),
    to: fc.nat(lockLines.length - 1),
    theirs: fc.subarray(lockLines),
    style: fc.constantFrom('merge', 'diff3'),
    newline: fc.constantFrom('\n', '\r\n'),
    marks: fc.subarray(['<', '=', '>'], { minLength: 1 }),
  }),
  judge({ from, to, theirs, style, newline, marks }) {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const mark = (sign: string, label: string) => (marks.includes(sign) ? [sign.repeat(7) + label] : []);
    const lines = [
      ...lockLines.slice(0, first),
      ...mark('<', ' HEAD'),
      ...lockLines.slice(first, last),
      ...(style === 'diff3' ? ['||||||| base'] : []),
      ...mark('=', ''),
      ...theirs,
      ...mark('>', ' theirs'),
      ...lockLines.slice(last),
    ];
    const error = refusalOf(() => parseLockFile(lines.join(newline)));
    strictEqual(error.code, 'LOCK_CONFLICT', 'a conflict marker goes unnoticed');
    const line = lines.findIndex((text) => /^(?:<{7}|={7}|>{7}|\|{7})/u.test(text)) + 1;
    strictEqual(error.data['line'], line, 'the marker stands in another line');
    return false;
  },
  sample: 300,
  oneSided: true,
});

function refusalOf(call: () => unknown): SkillsError {
  try {
    call();
  } catch (error) {
    if (SkillsError.is(error)) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

const trace = { inode: '12', trace: 'a'.repeat(64) };
const journal: Journal = {
  id: '0123456789abcdef',
  staging: '11',
  moves: [
    { kind: 'put', from: 'new/pdf', to: 'pdf', inode: '7', replaces: trace },
    { kind: 'put', from: 'new/record', to: '.skillpack/org/pdf', inode: '8', replaces: null },
    { kind: 'drop', to: 'csv', replaces: trace },
  ],
  links: [{ kind: 'make', path: '.claude/skills/pdf', skill: 'pdf' }],
  texts: [{ file: 'lock', before: null, after: formatLockFile({ packs: {} }) }],
};
let journalFile: string | undefined;

const journalTarget = fuzzTarget({
  name: 'journal',
  input: editedJson([formatJournal(journal)]),
  judge(text) {
    journalFile ??= join(mkdtempSync(join(tmpdir(), 'skillpack-fuzz-')), 'journal.json');
    writeFileSync(journalFile, text);
    const read = readJournal(journalFile);
    if (read === undefined || read === 'unreadable') return false;
    const places = [
      ...read.moves.flatMap((move) => (move.kind === 'put' ? [move.from, move.to] : [move.to])),
      ...read.links.flatMap(({ path, skill: name }) => [path, name]),
    ];
    for (const place of places) {
      for (const flavour of [posix, win32]) {
        const root = flavour.resolve('/root');
        const leaves = !flavour.resolve(root, place).startsWith(root + flavour.sep);
        strictEqual(leaves, false, `${JSON.stringify(place)} leaves the root`);
      }
    }
    writeFileSync(journalFile, formatJournal(read));
    deepStrictEqual(readJournal(journalFile), read, 'what was written is read otherwise');
    return true;
  },
  sample: 400,
});

const patterns = ['*.draft', '!keep.md', '/out', 'a/**/b', '[a-z]*.t?p', '# words', '\\#x', 'dir/', '**/x', '*a*a*a*b'];

const ignoreRules = fuzzTarget({
  name: 'ignore-rules',
  input: fc.record({
    lines: fc.array(fc.oneof(editedText(fc.constantFrom(...patterns), { least: 0, most: 3 }), anyText), {
      maxLength: 6,
    }),
    folder: fc.constantFrom('.', 'pdf', 'pdf/deep'),
    path: fc.constantFrom('pdf/SKILL.md', 'pdf/deep/a.draft', `pdf/deep/${'a'.repeat(80)}`, 'pdf/deep/out/', 'out'),
  }),
  judge({ lines, folder, path }) {
    const rules = IgnoreRules.base().with(folder, lines.join('\n'));
    const ignored = rules.ignores(path);
    strictEqual(rules.ignores(path), ignored, 'the same question has two answers');
    if (ignored && folder !== '.' && !path.startsWith(`${folder}/`))
      throw new Error('Rules count outside their folder.');
    return !ignored;
  },
  sample: 600,
});

/** SKILL.md, and the files that a project or a root holds besides documents. */
export const skillTargets: readonly FuzzTarget[] = [skill, lockConflict, journalTarget, ignoreRules];
