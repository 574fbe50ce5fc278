import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { treeDigestOf, type SkillBackend, type SkillEntry } from '@skillpack/core';
import { folderSkills, sha256 } from '@skillpack/registry-fs';
import { createProcessRunner } from '@skillpack/tools-shell';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const signal = new AbortController().signal;

type Entry =
  | { readonly kind: 'file'; readonly text: string; readonly executable: boolean }
  | { readonly kind: 'link'; readonly to: string };

/** What a folder of skills says that one is made of. */
async function measure(backend: SkillBackend, skill: SkillEntry) {
  const listed = await backend.files(skill, {});
  const files = await Promise.all(
    listed.map(async ({ path, executable }) => {
      const bytes = await backend.bytes(skill, path, { maxBytes: 1_000_000 });
      return { path, executable, size: bytes.length, digest: sha256(bytes) };
    }),
  );
  return treeDigestOf(files, sha256);
}

function put(folder: string, path: string, entry: Entry): void {
  const file = join(folder, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (entry.kind === 'link') symlinkSync(entry.to, file);
    else writeFileSync(file, entry.text);
    if (entry.kind === 'file' && entry.executable) chmodSync(file, 0o755);
  } catch {
    // Something else is there already.
  }
}

const name = fc.constantFrom('a', 'b', '.hidden', '.git', 'node_modules', 'ü', 'run.mjs', 'skill.md', 'Skill.MD');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ kind: fc.constant('file' as const), text: fc.string({ maxLength: 9 }), executable: fc.boolean() }),
  fc.record({
    kind: fc.constant('link' as const),
    to: fc.constantFrom('a', 'b', '../a', '.', '/etc/hostname', 'none'),
  }),
);

test.skipIf(process.platform === 'win32')(
  'PSA-23: whatever a skill is made of, a runner finds it to be what the registry of its folder says',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(path, entry), { maxLength: 8 }), async (entries) => {
        const root = mkdtempSync(join(tmpdir(), 'skillpack-held-'));
        try {
          const folder = join(root, 'skills', 'demo');
          const text = '---\nname: demo\ndescription: Shows something.\n---\nText.\n';
          put(folder, 'SKILL.md', { kind: 'file', text, executable: false });
          put(folder, 'start.mjs', { kind: 'file', text: 'process.exitCode = 7', executable: false });
          for (const [place, what] of entries) put(folder, place, what);
          const backend = folderSkills([{ path: join(root, 'skills'), scope: 'project' }], performance);
          const skill = (await backend.list({})).skills.find(({ location }) => location === folder);
          if (skill === undefined) throw new Error('the skill is found');
          const digest = await measure(backend, skill);
          const runner = createProcessRunner({ environment: process.env }, { workspace: root });
          const request = { skill, path: 'start.mjs', args: [], timeout: 60_000, digest };
          expect((await runner.run(request, { signal })).exitCode).toBe(7);
        } finally {
          rmSync(root, { recursive: true });
        }
      }),
      { numRuns: 30 },
    );
  },
);
