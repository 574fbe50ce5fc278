/*
 * A server of the Model Context Protocol that offers a folder of skills over its standard streams: a client starts it,
 * as `client.ts` does, or as any editor or assistant does that has this command in its configuration.
 */
import { resolve } from 'node:path';
import { createSkillRegistry } from '@skillpack/core';
import { serveSkillsOnStdio } from '@skillpack/mcp/node';
import { folderSkills } from '@skillpack/registry-fs';
import { sha256, systemClock as clock } from '@skillpack/runs-fs';

const skills = folderSkills([{ path: resolve(process.argv[2] ?? 'skills-builtin'), scope: 'builtin' }], performance);
await serveSkillsOnStdio(createSkillRegistry(skills, { sha256 }), { sha256, clock });
