import { readSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { quoted, SkillsError, type ScriptRequest, type SkillEntry } from '@skillpack/core';
import { withConfinedFile } from '../confine/open-confined.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { beginningBytes, chooseInterpreter, type ScriptFile } from './choose-interpreter.js';
import { programFolders } from './find-program.js';
import { holdSkill } from './hold-skill.js';
import type { Launch } from './launch-program.js';
import { pathOf } from './path-of.js';
import type { Environment } from './script-environment.js';

/** A script of a skill, found. */
export interface FoundScript extends ScriptFile {
  /** Of the skill; absolute, without a link in it. */
  readonly folder: string;
  /** Below that folder, with `/`. */
  readonly place: string;
}

/** A script with what runs it. */
export interface ScriptLaunch extends Launch {
  /** What somebody who reads its output has to know. @default nothing */
  readonly note?: string | undefined;
}

/** What is to be run. */
export interface WantedScript {
  readonly request: Pick<ScriptRequest, 'skill' | 'args' | 'digest'>;
  readonly found: FoundScript;
  /** Absolute, and entered by nobody else. */
  readonly own: string;
}

/** Where it is to be run. */
export interface ScriptSurroundings {
  readonly sandbox: Sandbox | undefined;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** @throws `TOOL_NOT_ALLOWED` for a skill that lies in no folder of this machine. */
export function skillFolder({ name, location }: SkillEntry): string {
  if (isAbsolute(location)) return location;
  throw new SkillsError(
    'TOOL_NOT_ALLOWED',
    `The skill ${quoted(name)} lies at ${quoted(location)}, in no folder here.`,
    {
      hint: 'Install it: scripts are run from a folder of this machine.',
      data: { name, location },
    },
  );
}

/** @throws as `withConfinedFile`, for what is no file of that folder. */
export function readScript({ path }: Pick<ScriptRequest, 'path'>, folder: string): FoundScript {
  return withConfinedFile(folder, path, ({ descriptor, path: file, place }) => {
    const buffer = new Uint8Array(beginningBytes);
    const beginning = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, 0));
    return { path: file, place, beginning, folder: realpathSync(folder) };
  });
}

/**
 * Chooses what runs a script, once its skill is what was approved. Where a sandbox can show it in the place of the skill,
 * what was compared is what is run.
 *
 * @throws `INTEGRITY_MISMATCH` where the skill is another; `TOOL_NOT_ALLOWED` where nothing runs the script.
 */
export function prepareScript(
  { request, found, own }: WantedScript,
  { sandbox, environment, signal }: ScriptSurroundings,
): ScriptLaunch {
  const { folder } = found;
  const into = request.digest !== undefined && sandbox?.replaces === true ? join(own, 'skill') : undefined;
  if (request.digest !== undefined) compare(request, holdSkill(folder, { into, signal }));
  const script = into === undefined ? found : { ...readScript({ path: found.place }, into), path: found.path };
  const folders = programFolders(pathOf(environment));
  const { program, flags, note } = chooseInterpreter(script, folders, { offline: sandbox !== undefined });
  const args = [...flags, script.path, ...request.args];
  return { file: program, args, note, shown: [{ path: folder, from: into ?? folder }] };
}

function compare({ skill, digest }: WantedScript['request'], actual: string): void {
  if (actual === digest) return;
  throw new SkillsError(
    'INTEGRITY_MISMATCH',
    `The skill ${quoted(skill.name)} has the digest ${actual} now, but ${digest} was approved; nothing was run.`,
    {
      hint: 'Somebody has changed it meanwhile. Look at what it is now, and ask again.',
      data: { skill: skill.name, expected: digest, actual },
    },
  );
}
