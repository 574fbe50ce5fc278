// Runs the scripts of the skill `probe` as whoever starts this, confined as the first word says, and prints what each of
// them was able to do as JSON. It is a program of its own so that it can be started as somebody else.
import { readlinkSync, rmSync } from 'node:fs';
import type { ScriptOutcome, ScriptRunner, SkillEntry } from '@skillpack/core';
import { createProcessRunner } from '../../src/process/process-runner.js';
import { findSandbox } from '../../src/sandbox/find-sandbox.js';
import { sandboxAbilities, type SandboxAbilityId } from '../../src/sandbox/sandbox-abilities.js';
import type { SandboxLimits } from '../../src/sandbox/sandbox.js';
import { makeGround, makeSurroundings, places, type ProbeGround } from './probe-ground.js';
import { probedSandboxes, probeLine, type ProbeFinding, type ProbeLine, type ProbeReport } from './probe-report.js';
import { startServices } from './probe-services.js';
import { lookBefore, takeAway, witnesses, type ProbeLimits } from './probe-witnesses.js';
import { childrenSeconds, watchTree } from './tree-watch.js';

const MiB = 1024 * 1024;
/** Well above what a sandbox here allows, and well below what would hurt this machine. */
const limits: ProbeLimits = { processes: 400, memoryMiB: 1536, diskMiB: 512, cpuSeconds: 8 };
/** What the sandbox is told to allow where that is probed: so little that going beyond it hurts nobody. */
const allowed: Partial<Record<SandboxAbilityId, SandboxLimits>> = {
  'fork-bomb': { processes: 64 },
  memory: { memory: 256 * MiB, temporaryBytes: 32 * MiB },
  cpu: { cpuSeconds: 2 },
  disk: { fileBytes: 64 * MiB, diskBytes: 96 * MiB },
};
const never = new AbortController().signal;
/** Those that a sandbox may end in the middle, since they take too much. */
const greedy: readonly string[] = Object.keys(allowed);

class MissingSandbox extends Error {
  override readonly name = 'MissingSandbox';
}

const sandbox = probedSandboxes.find((name) => name === process.argv[2]) ?? 'none';
const only = process.argv.slice(3);
const secret = process.env['PROBE_SECRET'] ?? '';
const surroundings = makeSurroundings();
process.env['HOME'] = surroundings.home;
try {
  process.stdout.write(`${JSON.stringify(await probeAll())}\n`);
} finally {
  rmSync(surroundings.base, { recursive: true, force: true });
}

async function probeAll(): Promise<ProbeReport> {
  await using services = await startServices(surroundings);
  const findings: ProbeFinding[] = [];
  try {
    const { leaves = [] } = await makeRunner('tcp', makeGround(surroundings, 'tcp'));
    for (const { id } of sandboxAbilities) {
      if (only.length === 0 || only.includes(id)) findings.push(await probe(id, services));
    }
    return { sandbox, leaves, findings };
  } catch (error) {
    if (error instanceof MissingSandbox) return { sandbox, missing: error.message, leaves: [], findings };
    throw error;
  }
}

type Services = Awaited<ReturnType<typeof startServices>>;

async function probe(id: SandboxAbilityId, services: Services): Promise<ProbeFinding> {
  const ground = makeGround(surroundings, id);
  const before = lookBefore(ground, services);
  const runner = await makeRunner(id, ground);
  using watch = watchTree(ground.token);
  const { outcomes, output, lines, cpuSeconds, diskMiB } = await runAll(id, { runner, ground, services });
  const taken = { peak: watch.peak, cpuSeconds, diskMiB };
  const scene = { ground, surroundings, services, before, output, ...taken, limits, secret };
  const seen = witnesses[id](scene);
  const worked = lines.filter((line) => line.worked === true).map((line) => String(line.attempt));
  const last = outcomes.at(-1);
  const done = last !== undefined && (last.exitCode === 0 || id === 'survive-timeout');
  const broken = !done || !lines.some((line) => line.note === 'begun');
  const possible = seen !== undefined || worked.length > 0;
  const ends = outcomes.map((outcome) => outcome.exitCode ?? outcome.signal).join(', ');
  const told = `exit ${ends}\n${output}`.slice(0, 20_000);
  return { id, verdict: possible ? 'possible' : broken ? 'broken' : 'denied', seen, worked, told };
}

interface Scenery {
  readonly runner: ScriptRunner;
  readonly ground: ProbeGround;
  readonly services: Services;
}

/** Runs a script; one that is ended since it takes too much again, for what it had not come to. */
async function runAll(id: SandboxAbilityId, { runner, ground, services }: Scenery) {
  const outcomes: ScriptOutcome[] = [];
  // Without a sandbox, one of several attempts to take much shows enough, and goes easy on this machine.
  const enough = greedy.includes(id) && sandbox === 'none' && process.env['SKILLPACK_LONG_TESTS'] === undefined;
  let [output, cpuSeconds, diskMiB] = ['', 0, 0];
  for (const tried: string[] = []; ;) {
    const words = JSON.stringify({ ...targetsOf(ground, services), tried, enough });
    const seconds = childrenSeconds();
    const outcome = await run(runner, { id, ground, words });
    outcomes.push(outcome);
    cpuSeconds = Math.max(cpuSeconds, childrenSeconds() - seconds);
    diskMiB = Math.max(diskMiB, takeAway(ground));
    output += textOf(outcome.stdout) + textOf(outcome.stderr);
    const lines = linesOf(output);
    const trying = lines.flatMap((line) => line.trying ?? []);
    const more = trying.length > tried.length && outcome.exitCode !== 0 && greedy.includes(id);
    if (!more) return { outcomes, output, lines, cpuSeconds, diskMiB };
    tried.splice(0, tried.length, ...trying);
  }
}

async function run(runner: ScriptRunner, { id, ground, words }: { id: string; ground: ProbeGround; words: string }) {
  // Cast: of an entry, a runner reads the name and the location.
  const skill = { name: 'probe', location: ground.skill } as SkillEntry;
  const request = { skill, path: `scripts/${id}.py`, args: [words] };
  if (id !== 'survive-timeout') return runner.run({ ...request, timeout: 120_000 }, { signal: never });
  // With more time where its processes had not begun, which a busy machine may need.
  for (let timeout = 2_000; ; timeout *= 4) {
    const outcome = await runner.run({ ...request, timeout }, { signal: never });
    if (textOf(outcome.stdout).includes('"begun"}') || timeout > 60_000) return outcome;
  }
}

async function makeRunner(id: SandboxAbilityId, { workspace }: ProbeGround): Promise<ScriptRunner> {
  const environment = { ...process.env, PATH: '/usr/local/bin:/usr/bin:/bin' };
  if (sandbox === 'none') return createProcessRunner({ environment }, { workspace, grace: 300 });
  const found = await findSandbox({ environment }, { workspace, candidates: [sandbox], limits: allowed[id] });
  if (found.sandbox === undefined) throw new MissingSandbox(found.problems.map(({ problem }) => problem).join(' '));
  return createProcessRunner({ environment }, { workspace, grace: 300, sandbox: found.sandbox });
}

function targetsOf(ground: ProbeGround, services: Services) {
  const { received: _, victimName: __, victimLives: ___, ...known } = services;
  const mountNamespace = readlinkSync('/proc/self/ns/mnt');
  const { homeFile } = surroundings;
  return { ...known, ...ground, ...limits, places, homeFile, hostPid: process.pid, mountNamespace };
}

function linesOf(output: string): readonly ProbeLine[] {
  return output.split('\n').flatMap((line) => {
    try {
      return [probeLine.parse(JSON.parse(line))];
    } catch {
      // Something else that it printed, such as a secret.
      return [];
    }
  });
}

function textOf({ bytes }: ScriptOutcome['stdout']): string {
  return Buffer.from(bytes).toString('latin1');
}
