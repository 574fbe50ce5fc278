import { createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import { createSkillRegistry, formatManifest, manifestFileName, readSkill, type PackManifest } from '@skillpack/core';
import {
  contractSkillFiles,
  createMemoryRegistry,
  makePack,
  skillRegistryContract,
  type PackDescription,
} from '@skillpack/core/testing';
import { createHttpRegistry, remoteSkills } from '@skillpack/registry-http';
import { createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { describe, expect, test } from 'vitest';
import { archivePorts, httpPorts, packPorts } from './ports.js';

/** A pack of the contract's skills, whose manifest says of each what its SKILL.md does. */
function contractArchive(): Uint8Array {
  const skills: Record<string, Record<string, string | Uint8Array>> = {};
  for (const [path, content] of Object.entries(contractSkillFiles)) {
    const [skill = '', ...rest] = path.split('/');
    if (/^[a-z]+$/u.test(skill)) (skills[skill] ??= {})[rest.join('/')] = content;
  }
  const description: PackDescription = { name: 'org/contract', version: '1.0.0', skills };
  const { manifest, files } = makePack(description, packPorts);
  const described: PackManifest = {
    ...manifest,
    skills: manifest.skills.map((skill) => ({
      ...skill,
      description: readSkill(String(contractSkillFiles[`${skill.path}/SKILL.md`])).description ?? '',
    })),
  };
  const bytes = new TextEncoder().encode(formatManifest(described));
  return createArchiveWriter().write([{ path: manifestFileName, bytes, executable: false }, ...files], 'tgz');
}

const archive = contractArchive();

skillRegistryContract(
  async () => {
    const stored = createMemoryRegistry({ ...archivePorts, sha256 });
    await stored.publish({ archive, format: 'tgz' });
    const server = await serveRegistry(createRegistryServer(stored, archivePorts));
    const packs = createHttpRegistry(server.url, httpPorts);
    const from = { kind: 'packs', specs: ['org/contract@1.0.0'] } as const;
    const backend = remoteSkills(packs, { archives: archivePorts.archives, sha256 }, { from });
    const close = async (): Promise<void> => {
      await packs.close();
      await server.close();
    };
    return { registry: createSkillRegistry(backend, { sha256 }), close };
  },
  { describe, test, expect },
  { title: 'remote, over HTTP', asciiNames: true },
);
