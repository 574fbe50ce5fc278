import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a skill folder holds besides what it is given by default. */
export interface SkillContent {
  readonly frontMatter?: string;
  readonly body?: string;
  /** Further files by path; those below `scripts/` are executable. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of a skillpack.json. */
  readonly pack?: Readonly<Record<string, unknown>>;
}

/** Writes a skill, and a skillpack.json if it is to be a pack. */
export function makeSkill(folder: string, content: SkillContent = {}): string {
  const name = folder.split(/[\\/]/u).at(-1) ?? '';
  const { frontMatter = `name: ${name}\ndescription: Does ${name}. Use it when somebody asks for it.`, files = {} } =
    content;
  write(join(folder, 'SKILL.md'), `---\n${frontMatter}\n---\n\n${content.body ?? `# ${name}\n`}`);
  for (const [path, text] of Object.entries(files)) {
    write(join(folder, path), text);
    if (path.startsWith('scripts/')) chmodSync(join(folder, path), 0o755);
  }
  if (content.pack !== undefined) write(join(folder, 'skillpack.json'), JSON.stringify(content.pack));
  return folder;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
