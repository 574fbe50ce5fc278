import { DatabaseSync } from 'node:sqlite';
import { sha256 } from '@skillpack/cli-dist';
import { createSkillRegistry } from '@skillpack/core';
import { contractSkillFiles, skillRegistryContract } from '@skillpack/core/testing';
import { describe, expect, test } from 'vitest';
import { databaseSkills, schemaOfSkills } from '../../examples/database/database-skills.js';

function put(database: DatabaseSync, path: string, content: string | Uint8Array): void {
  const [skill = '', ...rest] = path.split('/');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  database.prepare('INSERT OR IGNORE INTO skills VALUES (?, ?)').run(skill, '1.0.0');
  database.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?)').run(skill, rest.join('/'), bytes);
}

skillRegistryContract(
  async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(schemaOfSkills);
    for (const [path, content] of Object.entries(contractSkillFiles)) put(database, path, content);
    return {
      registry: createSkillRegistry(databaseSkills(database), { sha256 }),
      write: async (path, content) => {
        const [skill = '', ...rest] = path.split('/');
        if (content !== undefined) put(database, path, content);
        else database.prepare('DELETE FROM files WHERE skill = ? AND path = ?').run(skill, rest.join('/'));
      },
      close: async () => database.close(),
    };
  },
  { describe, test, expect },
  { title: 'SAA-28: the database of examples/database' },
);
