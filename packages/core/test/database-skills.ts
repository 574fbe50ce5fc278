import type { DatabaseSync } from 'node:sqlite';
import { parseSkillHead, SkillsError } from '@skillpack/core';
import type { IndexProblem, SkillBackend, SkillEntry } from '@skillpack/core';

/**
 * The skills of a database with the table
 * `files (skill TEXT, path TEXT, content BLOB NOT NULL, PRIMARY KEY (skill, path))`.
 */
export function databaseSkills(database: DatabaseSync): SkillBackend {
  const heads = database.prepare("SELECT skill, content FROM files WHERE path = 'SKILL.md'");
  const files = database.prepare('SELECT path, length(content) AS size FROM files WHERE skill = ?');
  const sizes = database.prepare('SELECT length(content) AS size FROM files WHERE skill = ? AND path = ?');
  const contents = database.prepare('SELECT content FROM files WHERE skill = ? AND path = ?');
  const none = { pack: undefined, packVersion: undefined, digest: undefined };
  return {
    kind: 'database',
    list: async () => {
      const skills: SkillEntry[] = [];
      const problems: IndexProblem[] = [];
      for (const { skill, content } of heads.all()) {
        const location = `db:/${String(skill)}`;
        const parse = parseSkillHead(content as Uint8Array, { folder: String(skill) });
        const { diagnostics } = parse;
        if (parse.kind === 'skill')
          skills.push({ ...none, name: parse.skill.name, scope: 'other', location, head: parse.skill, diagnostics });
        else problems.push({ code: 'refused', location, message: diagnostics[0]?.message ?? 'It is no skill.' });
      }
      return { skills, problems };
    },
    files: async ({ location }) =>
      files.all(location.slice('db:/'.length)).map((row) => ({
        path: String(row['path']),
        size: Number(row['size']),
        executable: false,
      })),
    bytes: async ({ location }, path, { maxBytes }) => {
      const key = [location.slice('db:/'.length), path] as const;
      const size = sizes.get(...key)?.['size'];
      if (size === undefined) throw new SkillsError('FILE_NOT_FOUND', `There is no ${path} at ${location}.`);
      if (Number(size) > maxBytes) throw new SkillsError('FILE_TOO_LARGE', `${path} is over ${maxBytes} bytes.`);
      return contents.get(...key)?.['content'] as Uint8Array;
    },
  };
}
