import { quoted, SkillsError, expectOptions } from '@skillpack/core';
import { expectTexts } from '../expect-texts.js';
import type { Environment } from '../process/script-environment.js';
import { probeBubblewrap } from './probe-bubblewrap.js';
import { probeSandboxRuntime } from './probe-sandbox-runtime.js';
import { passedOver, refusingSandbox } from './refusing-sandbox.js';
import type { Sandbox, SandboxLimits } from './sandbox.js';
import { fillSandboxLimits } from './sandbox-limits.js';

/** What is needed to look for a sandbox. */
export interface FindSandboxPorts {
  /** The variables of this process: `process.env`. Programs are looked for on its `PATH`. */
  readonly environment: Environment;
}

/** Which sandbox will do. */
export interface FindSandboxOptions {
  /** The folder in which programs are to run, absolute. Nothing that lies there becomes a part of the sandbox. */
  readonly workspace: string;
  /** Those that will do, the best first. @default ['bubblewrap', 'sandbox-runtime'] */
  readonly candidates?: readonly SandboxName[] | undefined;
  /** What a program may take. */
  readonly limits?: SandboxLimits | undefined;
}

/** A kind of sandbox. */
export type SandboxName = 'bubblewrap' | 'sandbox-runtime';

/** A sandbox that does not work here, and why. */
export interface SandboxProblem {
  readonly name: SandboxName;
  /** For a person: what is the matter, and what would help. */
  readonly problem: string;
}

/** What was found. */
export interface SandboxSearch {
  /** The first that works. @default none does */
  readonly sandbox?: Sandbox | undefined;
  /** Those that do not, in the order in which they were tried. */
  readonly problems: readonly SandboxProblem[];
}

const all: readonly SandboxName[] = ['bubblewrap', 'sandbox-runtime'];
const probes = { bubblewrap: probeBubblewrap, 'sandbox-runtime': probeSandboxRuntime };

/**
 * Finds a sandbox that works on this machine, by starting a tiny program in each candidate. Where none does, and a program
 * that one is made with lies in the workspace, as in `/` and `/usr`, what is found refuses to start anything: with
 * `TOOL_NOT_ALLOWED`, and the reason.
 *
 * @throws `USAGE` for an option that there is not, a candidate that is none, and limits that are none.
 * @example
 * ```ts
 * const { sandbox, problems } = await findSandbox({ environment: process.env }, { workspace });
 * for (const { name, problem } of problems) console.error(`${name}: ${problem}`);
 * const runner = createProcessRunner({ environment: process.env }, { workspace, sandbox });
 * ```
 */
export async function findSandbox(ports: FindSandboxPorts, options: FindSandboxOptions): Promise<SandboxSearch> {
  expectOptions(options, { of: 'findSandbox', names: { workspace: true, candidates: true, limits: true } });
  expectTexts(options.candidates, 'candidates');
  const { workspace, candidates = all } = options;
  for (const name of candidates) expectCandidate(name);
  const limits = fillSandboxLimits(options.limits);
  const problems: SandboxProblem[] = [];
  for (const name of candidates) {
    const found = await probes[name]({ environment: ports.environment, workspace, limits });
    if (!('problem' in found)) return { sandbox: found, problems };
    problems.push({ name, problem: found.problem });
  }
  // Unconfined would be the wrong end: the widest folders are those that hold the programs of a sandbox.
  const program = passedOver({ environment: ports.environment, workspace });
  return program === undefined
    ? { problems }
    : { sandbox: refusingSandbox(candidates[0] ?? 'none', program), problems };
}

/** From JavaScript, a candidate may be anything. */
function expectCandidate(name: string): void {
  if (Object.hasOwn(probes, name)) return;
  throw new SkillsError('USAGE', `There is no sandbox ${quoted(name)}.`, { hint: `There is ${all.join(' and ')}.` });
}
