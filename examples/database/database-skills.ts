import type { DatabaseSync } from 'node:sqlite';
import { parseSkillHead, SkillsError, type IndexProblem, type SkillBackend, type SkillEntry } from '@skillpack/core';

/** Where skills are kept: whoever may write to these tables writes skills. */
export const schemaOfSkills = `
  CREATE TABLE IF NOT EXISTS skills (name TEXT PRIMARY KEY, version TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS files (
    skill TEXT NOT NULL REFERENCES skills (name) ON DELETE CASCADE,
    path TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (skill, path)
  )`;

/** The skills of a database that has the tables of `schemaOfSkills`. */
export function databaseSkills(database: DatabaseSync): SkillBackend {
  const heads = database.prepare(
    "SELECT name, version, content FROM skills JOIN files ON skill = name WHERE path = 'SKILL.md'",
  );
  const files = database.prepare('SELECT path, length(content) AS size FROM files WHERE skill = ? ORDER BY path');
  const sizes = database.prepare('SELECT length(content) AS size FROM files WHERE skill = ? AND path = ?');
  const contents = database.prepare('SELECT content FROM files WHERE skill = ? AND path = ?');
  return {
    kind: 'database',
    async list() {
      const skills: SkillEntry[] = [];
      const problems: IndexProblem[] = [];
      for (const row of heads.all()) {
        const [folder, packVersion] = [String(row['name']), String(row['version'])];
        const location = `db:/${folder}`;
        // Cast: the column is a BLOB.
        const parse = parseSkillHead(row['content'] as Uint8Array, { folder });
        const { diagnostics } = parse;
        if (parse.kind === 'skill') {
          const { skill: head } = parse;
          const pack = { pack: undefined, packVersion, digest: undefined };
          skills.push({ ...pack, name: head.name, scope: 'other', location, head, diagnostics });
        } else problems.push({ code: 'refused', location, message: diagnostics[0]?.message ?? 'It is no skill.' });
      }
      return { skills, problems };
    },
    async files({ location }) {
      return files.all(folderOf(location)).map(({ path, size }) => {
        return { path: String(path), size: Number(size), executable: false };
      });
    },
    async bytes({ location }, path, { maxBytes }) {
      const key = [folderOf(location), path] as const;
      const size = sizes.get(...key)?.['size'];
      if (size === undefined) throw new SkillsError('FILE_NOT_FOUND', `There is no ${path} at ${location}.`);
      if (Number(size) > maxBytes) throw new SkillsError('FILE_TOO_LARGE', `${path} is over ${maxBytes} bytes.`);
      // Cast: the column is a BLOB.
      return contents.get(...key)?.['content'] as Uint8Array;
    },
  };
}

function folderOf(location: string): string {
  return location.slice('db:/'.length);
}
