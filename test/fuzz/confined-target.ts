import { execFileSync } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { SkillsError, type ErrorCode } from '@skillpack/core';
import { descriptorAccess, hasDescriptorAccess } from '../../packages/registry-fs/src/confined/descriptor-access.js';
import { listConfinedFiles } from '../../packages/registry-fs/src/confined/list-confined-files.js';
import { pathAccess } from '../../packages/registry-fs/src/confined/path-access.js';
import { readConfinedFile } from '../../packages/registry-fs/src/confined/read-confined-file.js';
import { fuzzTarget, judgeRefusal, type FuzzTarget } from './fuzz-target.js';
import { anyText } from './text-pieces.js';

/** One thing in the folder; one that cannot be made, because of what is there already, is left out. */
type Item =
  | { readonly kind: 'file' | 'folder' | 'pipe' | 'hard-link'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

const secret = 'The secret that lies outside.';
const inside = 'Inside: ';
const names = ['a', 'b', 'c', 'SKILL.md', '日本', 'e\u0301', ' ', '...', '\u202E', '~', 'x'.repeat(255)];
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names) },
  anyText.map((text) => text.slice(0, 60)),
);
const plainPath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const step = fc.oneof(name, fc.constantFrom('..', '.', '', '..', 'skill', 'outside', 'secret', 'skill-other'));
const crookedPath = fc.array(step, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('/'));
// In a target, BASE is the folder around all of this.
const target = fc.oneof(
  crookedPath,
  crookedPath.map((path) => `BASE/${path}`),
  crookedPath.map((path) => `BASE/skill/${path}`),
  crookedPath.map((path) => `/proc/self/root/BASE/${path}`),
  fc.constantFrom('..', '../..', '/', '.', 'BASE', 'BASE/skill', 'BASE/skill-other', '../outside', '../outside/secret'),
  fc.constantFrom('/proc/self/cwd', '/proc/self/fd', '/dev/fd/0', '/dev/stdin', '/proc/self/environ', '/etc/passwd'),
);
const item: fc.Arbitrary<Item> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('file', 'folder'), path: plainPath }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('link'), path: plainPath, target }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hard-link'), path: plainPath }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pipe'), path: plainPath }) },
);
const absolute = crookedPath.map((path) => `BASE/${path}`);

const codes: readonly ErrorCode[] = ['FILE_NOT_FOUND', 'PATH_TRAVERSAL_BLOCKED', 'IO_ERROR'];
const accesses = [pathAccess, ...(hasDescriptorAccess() ? [descriptorAccess] : [])];

interface World {
  readonly items: readonly Item[];
  readonly paths: readonly string[];
}

async function judgeWorld({ items, paths }: World): Promise<boolean> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-fuzz-')));
  const skill = join(base, 'skill');
  try {
    for (const folder of ['skill', 'outside', 'skill-other']) mkdirSync(join(base, folder));
    for (const file of [
      'secret',
      'outside/secret',
      'outside/SKILL.md',
      'outside/a',
      'skill-other/a',
      'a',
      'SKILL.md',
    ]) {
      writeFileSync(join(base, file), secret);
    }
    for (const one of items) make(one, base);
    const read = [...paths, ...items.map(({ path }) => path)].map((path) => path.replaceAll('BASE', base));
    let accepted = false;
    for (const path of read) {
      const texts = await Promise.all(accesses.map(async (access) => readOrRefuse({ skill, path }, access)));
      // Two pieces of code that share little more than the rules.
      if (new Set(texts).size > 1) throw new Error(`Read in two ways, ${JSON.stringify(path)} is not the same.`);
      accepted ||= texts[0]?.startsWith(inside) === true;
    }
    for (const access of accesses) await judgeList(skill, access);
    return accepted;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function make(one: Item, base: string): void {
  const path = join(base, 'skill', one.path);
  // Only here, where names are made up, could one lead out: the tree is to be hostile, not the test.
  if (!path.startsWith(join(base, 'skill', '/')) || path.includes('\0')) return;
  try {
    if (leadsOut(one.path, base)) return;
    if (one.kind === 'file') writeFileSync(path, `${inside}${one.path}`, { flag: 'wx' });
    else if (one.kind === 'folder') mkdirSync(path, { recursive: true });
    else if (one.kind === 'link') symlinkSync(one.target.replaceAll('BASE', base), path);
    else if (one.kind === 'hard-link') linkSync(join(base, 'skill', 'a'), path);
    else execFileSync('mkfifo', ['--', path], { stdio: 'ignore' });
  } catch (error) {
    // What is in the way stays, and names may be too long, or none.
    if (!(error instanceof Error && ('code' in error || 'status' in error))) throw error;
  }
}

/** Whether something on the way to a path is a link already: what is made there would be made elsewhere. */
function leadsOut(path: string, base: string): boolean {
  let at = join(base, 'skill');
  return path.split('/').some((part) => {
    at = join(at, part);
    return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  });
}

async function readOrRefuse(
  { skill, path }: { readonly skill: string; readonly path: string },
  access: (typeof accesses)[number],
): Promise<string> {
  try {
    const text = Buffer.from(await readConfinedFile(skill, path, { maxBytes: 10_000, access })).toString();
    if (text === '' || text.startsWith(inside)) return text;
    throw new Error(`${JSON.stringify(path)} has what is outside: ${text.slice(0, 50)}`);
  } catch (error) {
    judgeRefusal(error, codes);
    return SkillsError.is(error) ? error.code : '';
  }
}

/** Whatever is listed can be read, and is inside. */
async function judgeList(skill: string, access: (typeof accesses)[number]): Promise<void> {
  for (const { path, size } of await listConfinedFiles(skill, { maxFiles: 1000, maxDepth: 16, access })) {
    const bytes = await readConfinedFile(skill, path, { maxBytes: 10_000, access });
    if (bytes.length !== size) throw new Error(`${JSON.stringify(path)} has ${bytes.length} bytes, and not ${size}.`);
    if (size > 0 && !Buffer.from(bytes).toString().startsWith(inside)) throw new Error(`${path} is outside.`);
  }
}

/** Trees with links of all kinds, and paths of all kinds: never a byte from outside of the skill. */
export const confinedTargets: readonly FuzzTarget[] =
  // Links take a right on Windows that few have.
  process.platform === 'win32'
    ? []
    : [
        fuzzTarget({
          name: 'confined-read',
          input: fc.record({
            items: fc.array(item, { maxLength: 12 }),
            paths: fc.array(fc.oneof(crookedPath, plainPath, absolute, anyText), { minLength: 1, maxLength: 6 }),
          }),
          judge: judgeWorld,
          sample: 300,
        }),
      ];
