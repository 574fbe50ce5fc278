import { createSkillRegistry, memorySkills } from '@skillpack/core';
import { contractSkillFiles } from '@skillpack/core/testing';
import { serveSkillsOnStdio } from '../../src/node.js';
import { sha256 } from '../sha256.js';

// A process that serves the skills of the contract over its standard streams, until they end.
const files = Object.fromEntries(Object.entries(contractSkillFiles).filter(([path]) => /^[\0-\u007F]*$/u.test(path)));
await serveSkillsOnStdio(createSkillRegistry(memorySkills(files), { sha256 }), { sha256, clock: { now: Date.now } });
