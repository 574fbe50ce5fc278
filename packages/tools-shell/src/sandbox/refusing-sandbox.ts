import { quoted, SkillsError } from '@skillpack/core';
import { findProgram, programFolders } from '../process/find-program.js';
import { findTrustedProgram, type ProgramSurroundings } from '../process/find-trusted-program.js';
import { pathOf } from '../process/path-of.js';
import { checkHides } from './hidden-places.js';
import type { Sandbox } from './sandbox.js';

/** What a sandbox is made with. */
const programs: readonly string[] = ['bwrap', 'prlimit', 'sh'];

/** A program that makes a sandbox and lies in the workspace alone, so that it is not started; `undefined` where none does. */
export function passedOver(surroundings: ProgramSurroundings): string | undefined {
  const folders = programFolders(pathOf(surroundings.environment));
  return programs
    .filter((name) => findTrustedProgram(name, surroundings) === undefined)
    .map((name) => findProgram([name], folders))
    .find((found) => found !== undefined);
}

/** A sandbox in which nothing is started, since what would make it lies where scripts write. @param program absolute */
export function refusingSandbox(name: string, program: string): Sandbox {
  return {
    confinement: { name, leaves: [] },
    replaces: true,
    temporaryFolder: (own) => own,
    async confine({ workspace }) {
      checkHides(workspace);
      const message = `${quoted(program)}, which makes the sandbox, lies in the folder ${quoted(workspace)}, which scripts write to.`;
      throw new SkillsError('TOOL_NOT_ALLOWED', message, {
        hint: 'Work in another folder: a program that a script may have changed is not started.',
        data: { workspace, program },
      });
    },
  };
}
