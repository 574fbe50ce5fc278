import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptOutcome, ScriptRequest } from '@skillpack/core';
import { findSandbox } from '../src/sandbox/find-sandbox.js';
import type { SandboxLimits } from '../src/sandbox/sandbox.js';
import { makeSkill } from './script-ground.js';

const wanted = { workspace: '/nowhere', candidates: ['bubblewrap'] as const };
const found = await findSandbox({ environment: process.env }, wanted);

/** Why these tests cannot run here; `undefined` where they can. */
export const noSandbox =
  found.sandbox === undefined ? found.problems.map(({ problem }) => problem).join(' ') : undefined;

/** A skill with these files, run in a sandbox; it has to work here. */
export function makeConfinedSkill(files: Readonly<Record<string, string>>) {
  const ground = makeSkill(files);
  const { sandbox } = found;
  const run = async (
    path: string,
    request: Partial<ScriptRequest> & { readonly signal?: AbortSignal } = {},
    options: Parameters<typeof ground.run>[2] = {},
  ): Promise<ScriptOutcome> => ground.run(path, request, { sandbox, ...options });
  return { ...ground, run };
}

/** A sandbox with other limits. */
export async function limitedSandbox(limits: SandboxLimits) {
  const { sandbox } = await findSandbox({ environment: process.env }, { ...wanted, limits });
  return { sandbox };
}

/** Folders in the workspace. */
export function makeFolders(workspace: string, ...names: readonly string[]): void {
  for (const name of names) mkdirSync(join(workspace, name), { recursive: true });
}
