import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { cacheRegistry } from '../src/registry/cache-registry.js';
import { createSkillRegistry } from '../src/registry/create-skill-registry.js';
import { createSkillView } from '../src/registry/create-skill-view.js';
import { filterRegistry } from '../src/registry/filter-registry.js';
import { layerRegistries } from '../src/registry/layer-registries.js';
import { memorySkills } from '../src/registry/memory-skills.js';
import { prefixRegistry } from '../src/registry/prefix-registry.js';
import type { SkillRegistry } from '../src/registry/skill-registry.js';
import { contractSkillDigest, contractSkillFiles } from '../src/testing/skill-registry-contract-files.js';
import { skillRegistryContract } from '../src/testing/skill-registry-contract.js';
import { databaseSkills } from './database-skills.js';
import { sha256 } from './sha256.js';

type Content = string | Uint8Array;

function run(title: string, make: (registry: SkillRegistry) => SkillRegistry, nameOf?: (name: string) => string): void {
  skillRegistryContract(
    async () => {
      const files: Record<string, Content> = { ...contractSkillFiles };
      return {
        registry: make(createSkillRegistry(memorySkills(files), { sha256 })),
        write: async (path, content) => {
          if (content === undefined) Reflect.deleteProperty(files, path);
          else files[path] = content;
        },
        close: async () => undefined,
      };
    },
    { describe, test, expect },
    { title, nameOf },
  );
}

run('memory', (registry) => registry);
run('filtered', (registry) => filterRegistry(registry, { sha256 }, { keep: ({ name }) => name !== 'none' }));
run(
  'with a prefix',
  (registry) => prefixRegistry(registry, { sha256 }, { prefix: 'acme-' }),
  (name) => `acme-${name}`,
);
run(
  'with a namespace',
  (registry) => prefixRegistry(registry, { sha256 }, { prefix: 'acme/' }),
  (name) => `acme/${name}`,
);
run('cached', (registry) => cacheRegistry(registry, { clock: { now: () => 0 } }));
run('cached for no time', (registry) => cacheRegistry(registry, { clock: { now: () => 0 } }, { ttl: 1 }));
run('a view', (registry) => createSkillView(registry, { sha256 }));
run('layered', (registry) => {
  const empty = createSkillRegistry(memorySkills({}, { location: 'empty:' }), { sha256 });
  return layerRegistries([{ registry: empty }, { registry, scope: 'user' }], { sha256 });
});
run('a view of a filtered, cached project', (registry) => {
  const cached = cacheRegistry(registry, { clock: { now: () => 0 } });
  const filtered = filterRegistry(cached, { sha256 }, { keep: () => true });
  const layered = layerRegistries([{ registry: filtered, scope: 'project', trusted: true }], { sha256 });
  return createSkillView(layered, { sha256 });
});

test('the digest that the contract states is that of its file', () => {
  expect(sha256(contractSkillFiles['pdf/SKILL.md'] ?? '')).toBe(contractSkillDigest);
});

function makeDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE files (skill TEXT, path TEXT, content BLOB, PRIMARY KEY (skill, path))');
  for (const [path, content] of Object.entries(contractSkillFiles)) put(database, path, content);
  return database;
}

function put(database: DatabaseSync, path: string, content: Content): void {
  const [skill = '', ...rest] = path.split('/');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  database.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?)').run(skill, rest.join('/'), bytes);
}

skillRegistryContract(
  async () => {
    const database = makeDatabase();
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
  { title: 'a database' },
);

test('SAA-28: a registry over a database is forty lines, which keep the contract and stand in the page', () => {
  const code = readFileSync(join(import.meta.dirname, 'database-skills.ts'), 'utf8');
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'registries.md'), 'utf8');
  expect(page).toContain(`\`\`\`ts\n${code}\`\`\``);
  const body = code.split('\n').filter((line) => line !== '' && !line.startsWith('import') && !line.startsWith('/**'));
  expect(body.length).toBeLessThanOrEqual(40);
});
