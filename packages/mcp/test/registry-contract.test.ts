import { contractSkillFiles, fakeClock, skillRegistryContract } from '@skillpack/core/testing';
import { describe, expect, test } from 'vitest';
import { mcpSkills } from '../src/client/mcp-skills.js';
import { serve, type Files } from './ground.js';
import { sha256 } from './sha256.js';

// A name outside ASCII is another one in the protocol.
const files: Files = Object.fromEntries(
  Object.entries(contractSkillFiles).filter(([path]) => /^[\0-\u007F]*$/u.test(path)),
);

skillRegistryContract(
  async () => {
    const { client, close } = await serve(files);
    const ports = { sha256, clock: fakeClock() };
    return { registry: mcpSkills(client, ports, { origin: 'server', grant: () => true }), close };
  },
  { describe, test, expect },
  { title: 'skills of a server, through the wire', nameOf: (name) => `server/${name}`, asciiNames: true },
);
