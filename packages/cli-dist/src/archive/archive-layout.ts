import { manifestFileName } from '@skillpack/core';

/** The file that makes a folder a skill. */
export const skillFileName = 'SKILL.md';

/** Where in an archive the pack is. */
export interface ArchiveLayout {
  /** The enclosing folders that are taken away, with a slash at the end; or nothing. */
  readonly base: string;
  /** `manifest`: manifest.json says what belongs to the pack. `pack`: one folder a skill. `skill`: SKILL.md at the root. */
  readonly kind: 'manifest' | 'pack' | 'skill';
}

/** What has to be known of the files themselves to tell the layout. */
export interface LayoutClues {
  /** Whether the file is a manifest of ours, not just a file of that name. */
  isManifest(path: string): boolean;
  /** The name in the front matter of a SKILL.md, if it has a fine one. */
  skillNameIn(path: string): Promise<string | undefined>;
}

/** Whether a file is one that macOS adds to archives: AppleDouble (`._x`, `__MACOSX/`) or .DS_Store. */
export function isLitter(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === '.DS_Store' || name.startsWith('._') || path.startsWith('__MACOSX/');
}

/**
 * Tells the layout of an archive from its paths (litter left out). In this order:
 *
 * 1. manifest.json at the root: a pack. Beside a SKILL.md only if it is a manifest of ours.
 * 2. SKILL.md at the root: a skill.
 * 3. Everything in one folder that holds a manifest of ours: a pack, the folder taken away.
 * 4. Everything in one folder that holds SKILL.md: a pack of that one skill, unless the front matter calls the skill
 *    otherwise: then the folder is `package/` or a git host's, and is taken away.
 * 5. Otherwise, one folder around everything taken away: folders with a SKILL.md are the skills; if there are none,
 *    those in `skills/` are.
 *
 * @returns `undefined` when no skill is found.
 */
export async function detectLayout(paths: readonly string[], clues: LayoutClues): Promise<ArchiveLayout | undefined> {
  const all = new Set(paths);
  const holdsSkill = all.has(skillFileName);
  if (all.has(manifestFileName) && (!holdsSkill || clues.isManifest(manifestFileName))) {
    return { base: '', kind: 'manifest' };
  }
  if (holdsSkill) return { base: '', kind: 'skill' };
  const folder = onlyFolder(paths);
  if (folder !== undefined) {
    const manifest = folder + manifestFileName;
    if (all.has(manifest) && clues.isManifest(manifest)) return { base: folder, kind: 'manifest' };
    if (all.has(folder + skillFileName)) {
      const name = await clues.skillNameIn(folder + skillFileName);
      const named = !folder.startsWith('.') && (name === undefined || `${name}/` === folder);
      return named ? { base: '', kind: 'pack' } : { base: folder, kind: 'skill' };
    }
  }
  for (const base of [folder ?? '', `${folder ?? ''}skills/`]) {
    if (skillFolders(paths, base).size > 0) return { base, kind: 'pack' };
  }
  return undefined;
}

/** The folders directly below `base` that are skills, each with a slash at the end. One that begins with a dot never is. */
export function skillFolders(paths: readonly string[], base: string): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(base) || path.startsWith('.', base.length)) continue;
    const folder = path.slice(base.length, path.indexOf('/', base.length) + 1);
    if (folder !== '' && path === base + folder + skillFileName) folders.add(folder);
  }
  return folders;
}

function onlyFolder(paths: readonly string[]): string | undefined {
  const [first = ''] = paths;
  const folder = first.slice(0, first.indexOf('/') + 1);
  return folder !== '' && paths.every((path) => path.startsWith(folder)) ? folder : undefined;
}
