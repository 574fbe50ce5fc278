import { createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import { createSkillRegistry, formatDiscoveryIndex, readSkill, type DiscoverySkill } from '@skillpack/core';
import { contractSkillFiles, skillRegistryContract } from '@skillpack/core/testing';
import { discoveredSkills } from '@skillpack/registry-http/discovery';
import { serveRegistry } from '@skillpack/registry-http/server';
import { describe, expect, test } from 'vitest';

/** The files of a host that offers the skills of the contract, by their paths below `.well-known/agent-skills/`. */
function hostFiles(): ReadonlyMap<string, string | Buffer> {
  const folders = new Map<string, Record<string, string | Uint8Array>>();
  for (const [path, content] of Object.entries(contractSkillFiles)) {
    const [skill = '', ...rest] = path.split('/');
    if (/^[a-z]+$/u.test(skill)) folders.set(skill, { ...folders.get(skill), [rest.join('/')]: content });
  }
  const files = new Map<string, string | Buffer>();
  const skills = [...folders].map(([name, inputs]): DiscoverySkill => {
    const archive = createArchiveWriter().write(
      Object.entries(inputs).map(([path, content]) => {
        const bytes = Buffer.from(content);
        return { path, bytes, executable: bytes.subarray(0, 2).toString() === '#!' };
      }),
      'tgz',
    );
    const url = `${name}.tar.gz`;
    files.set(url, Buffer.from(archive));
    const description = readSkill(String(inputs['SKILL.md'])).description ?? '';
    return { name, type: 'archive', description, url, digest: sha256(archive) };
  });
  return files.set('index.json', formatDiscoveryIndex(skills));
}

const files = hostFiles();

skillRegistryContract(
  async () => {
    const server = await serveRegistry(async ({ url }) => {
      const file = files.get(new URL(url).pathname.replace('/.well-known/agent-skills/', ''));
      return file === undefined ? new Response('none', { status: 404 }) : new Response(file);
    });
    const registry = createSkillRegistry(discoveredSkills(server.url, { fetch, sha256 }), { sha256 });
    return { registry, close: () => server.close(0) };
  },
  { describe, test, expect },
  { title: 'discovered, by fetch', asciiNames: true },
);
