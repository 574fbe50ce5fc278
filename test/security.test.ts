import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findSandbox } from '@skillpack/tools-shell';
import { expect, test } from 'vitest';
import { whatIsMissing } from '../packages/tools-shell/test/probe/start-probe.ts';

const workspace = join(import.meta.dirname, '..');
const page = readFileSync(join(workspace, 'docs', 'security.md'), 'utf8');
const comment = /^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)/gmu;

interface Row {
  readonly promise: string;
  readonly file: string;
  readonly title: string;
}

const line = /^\| (?<promise>[^|]+?) *\| \[[^\]]+\]\(\.\.\/(?<file>[^)]+)\): (?<marks>`+)(?<title>.+?)\k<marks> *\|$/u;

/** A table that a program writes, and another test compares. */
const measured = /^<!-- probe: [\s\S]*?^<!-- \/probe -->$/gmu;

function rowsOf(text: string): readonly (Row | string)[] {
  return text
    .replaceAll(measured, '')
    .split('\n')
    .filter((row) => row.startsWith('| ') && !/^\| (?:promise|-+) /u.test(row))
    .map((row) => {
      const { promise = '', file = '', title = '' } = line.exec(row)?.groups ?? {};
      return title === '' ? row : { promise, file, title: title.trim() };
    });
}

/** Whether a test or a group of tests has a title: it stands in quotation marks, where a title stands. */
function isTitled(source: string, title: string): boolean {
  const code = source.replaceAll(comment, '');
  return ["'", '"', '`'].some((mark) => {
    const escaped = title.replaceAll(mark, `\\${mark}`);
    for (let at = code.indexOf(mark + escaped + mark); at !== -1; at = code.indexOf(mark + escaped + mark, at + 1)) {
      const before = code.slice(code.lastIndexOf('\n', at) + 1, at);
      if (/^ *(?:(?:test|describe)\b.*\(|\].*\(|)$/u.test(before)) return true;
    }
    return false;
  });
}

const rows = rowsOf(page);

test('every line of the page is a promise with a file and a title', () => {
  expect(rows.filter((row) => typeof row === 'string')).toEqual([]);
  expect(rows.length).toBeGreaterThan(70);
});

test.each(rows.filter((row) => typeof row !== 'string').map(({ promise, file, title }) => [promise, file, title]))(
  'a test holds: %s',
  (_, file = '', title = '') => {
    expect(existsSync(join(workspace, file)), file).toBe(true);
    expect(isTitled(readFileSync(join(workspace, file), 'utf8'), title), `${file}: ${title}`).toBe(true);
  },
);

/** A title as the page tells to type it. */
function typed(title: string): string {
  return title.replaceAll(/%[sjdoi]|\$\w+/gu, '.*').replaceAll("'", '.');
}

/** Every test of some files, as vitest names it to `-t`, collected as a run does. */
async function collect(
  files: readonly string[],
  signal: AbortSignal,
): Promise<readonly { readonly name: string; readonly file: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'security-'));
  try {
    const list = join(folder, 'list.json');
    const vitest = join(workspace, 'node_modules', 'vitest', 'vitest.mjs');
    // Nothing is run, so that files may share their modules: a tenth of the work of a run that keeps them apart.
    const words = ['list', '--no-static-parse', '--no-isolate', `--json=${list}`, ...files];
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
    await promisify(execFile)(process.execPath, [vitest, ...words], {
      cwd: workspace,
      env,
      signal,
      maxBuffer: 2 ** 26,
    });
    // Cast: the format of `vitest list --json`.
    return JSON.parse(readFileSync(list, 'utf8')) as { name: string; file: string }[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const strace = (): boolean => spawnSync('strace', ['true']).status === 0;
const script = (): boolean => spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
const tmux = (): boolean => spawnSync('tmux', ['-V']).status === 0;
const probed = (): boolean => whatIsMissing() === undefined;
const { sandbox } = await findSandbox({ environment: process.env }, { workspace, candidates: ['bubblewrap'] });
const bubblewrap = (): boolean => sandbox !== undefined;
const root = (): boolean => process.getuid?.() === 0;

/** The rows whose tests Linux alone does not run, by the beginning of their titles, and what they need. */
const needs = [
  ['no command that reads or installs a pack starts a program', 'strace', strace],
  ['PSA-32: killed at any system call', 'strace', strace],
  ['PSA-32: a loss of power at any moment', 'strace', strace],
  ['PSA-32: wherever the disk fails', 'strace', strace],
  ['a terminal gets colours', 'script', script],
  ['what was typed before a question', 'tmux', tmux],
  ['SPEC-10: a person is asked with', 'tmux', tmux],
  ['what was typed before the chat', 'tmux', tmux],
  ['a folder above that somebody else marked', 'the rights of root', root],
  ['PSA-23: without a sandbox it can', 'what the probe needs', probed],
  ['PSA-23: in %s it can', 'what the probe needs', probed],
  ['the page on security says what the probe finds', 'what the probe needs', probed],
  ['PSA-23: a record names the sandbox', 'bubblewrap', bubblewrap],
  ['in a sandbox a script reads no secret', 'a sandbox', bubblewrap],
] as const;

// A row whose tests are skipped is held by nothing on this machine: it fails, or is told of where something is missing.
test.skipIf(process.platform !== 'linux')(
  'what the page tells to type runs at least one test, for every row',
  { timeout: 300_000 },
  async ({ annotate, skip, signal }) => {
    const known = rows.filter((row) => typeof row !== 'string');
    const tests = await collect([...new Set(known.map(({ file }) => file))], signal);
    const empty = known.filter(({ file, title }) => {
      const pattern = new RegExp(typed(title), 'u');
      return !tests.some((one) => one.file === join(workspace, file) && pattern.test(one.name));
    });
    const lacking = needs.filter(([, , has]) => !has());
    const excused = ({ title }: Row): boolean => lacking.some(([begin]) => title.startsWith(begin));
    expect(empty.filter((row) => !excused(row))).toEqual([]);
    expect(needs.filter(([begin]) => !known.some(({ title }) => title.startsWith(begin)))).toEqual([]);
    expect(page).toContain(`vitest run packages/core/src/pack/pack-path.test.ts -t '${typed('%j is refused as %s')}'`);
    const untold = lacking.map(([begin, what]) => `Not held here, for want of ${what}: ${begin}`);
    for (const one of untold) await annotate(one, 'warning');
    skip(untold.length > 0, untold.join('; '));
  },
);

test('what the README promises of an install is a part of the page', () => {
  const readme = readFileSync(join(workspace, 'README.md'), 'utf8');
  const promises = [...readme.matchAll(/^- \*\*(Nothing [^*]+)\.\*\*/gmu)].map(([, promise]) => promise);
  const headings = [...page.matchAll(/^## (.+)$/gmu)].map(([, heading]) => heading);
  expect(promises.length).toBe(5);
  expect(headings).toEqual(expect.arrayContaining(promises));
});

test.each([
  ["test('a b', () => {", true],
  ["  'a b',\n", true],
  ["] as const)('a b', () => {", true],
  ["test.skipIf(windows)('a b', () => {", true],
  ["// test('a b', () => {", false],
  ["test('a b c', () => {", false],
  ["const text = 'a b';", false],
])('what counts as a title: %j', (source, expected) => {
  expect(isTitled(source, 'a b')).toBe(expected);
});
