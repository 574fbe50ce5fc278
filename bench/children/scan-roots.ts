// Scans a root of skills with the built library whose URL is handed in, and with a cache when its folder is.
import type { scanSkillRoots } from '../../packages/registry-fs/src/index.ts';

const [library = '', path = '', folder] = process.argv.slice(2);
// What is built from this very list of names.
const built = (await import(library)) as { readonly scanSkillRoots: typeof scanSkillRoots };
const report = await built.scanSkillRoots(
  [{ path, scope: 'project' }],
  {
    now: () => performance.now(),
    ...(folder === undefined ? {} : { cache: { folder, now: () => Date.now() } }),
  },
  { maxFolders: 1_000_000 },
);
process.stdout.write(`${report.skills.length}\n`);
