import { resolve } from 'node:path';
import {
  createSkillRegistry,
  SkillsError,
  type IndexProblem,
  type SkillRegistry,
  type SkillScope,
} from '@skillpack/core';
import { isSecretName, sha256 } from '@skillpack/cli-dist';
import { folderSkills } from '@skillpack/registry-fs';
import { serveSkillsOnStdio } from '@skillpack/mcp/node';
import { systemClock } from '@skillpack/runs-fs';
import { agentSkills } from '../agent/agent-skills.js';
import { grantedScripts } from '../agent/granted-scripts.js';
import type { OfferPorts } from '../agent/offer-skills.js';
import { trustProject } from '../agent/trust-project.js';
import type { ChatStreams } from '../chat/chat-streams.js';
import { readAgentSettings } from '../settings/read-agent-settings.js';
import type { SettingsSource } from '../settings/settings-source.js';

/** Which skills are served. */
export interface ServedSkillsChoice {
  /** Whether those of the project are, for this once. */
  readonly trustProject: boolean;
  /** @default all */
  readonly scope: SkillScope | undefined;
  /** This folder alone, whoever wrote what is in it. */
  readonly root: string | undefined;
}

/** What skills are served with. */
export interface ServeSkillsPorts extends Omit<OfferPorts, 'person'> {
  readonly source: SettingsSource;
  readonly streams: Pick<ChatStreams, 'stdin' | 'stdout'>;
  /** That of the command. */
  readonly version: string;
}

/** Whoever wrote a project can fill it with folders that are none. */
const mostTold = 20;

/**
 * Serves the skills that an agent would be offered here to the program at the other end of the standard streams, until that
 * closes its end or the signal is aborted. Nothing else is written to standard output, and nobody is asked anything.
 *
 * @throws `USAGE` where both a scope and a folder are named; `INVALID_CONFIG`, `IO_ERROR`.
 */
export async function serveSkills(choice: ServedSkillsChoice, ports: ServeSkillsPorts): Promise<void> {
  const { reporter, signal, version } = ports;
  const { stdin, stdout } = ports.streams;
  const registry = await skillsToServe(choice, ports);
  const told = new Set<string>();
  const tell = ({ code, location, message }: IndexProblem): void => {
    const line = `${location}: ${message}`;
    if (code === 'untrusted' || told.has(line) || told.size > mostTold) return;
    told.add(line);
    if (told.size <= mostTold) reporter.warn(line);
    else reporter.warn('There are more folders that cannot be served: `skills list` says which, and why.');
  };
  const { problems } = await registry.index({ signal });
  for (const problem of problems) tell(problem);
  if (stdin.isTTY) {
    reporter.step(
      'Waiting for a client of the Model Context Protocol on standard input, which is a terminal; Ctrl-C ends it.',
    );
  }
  try {
    await serveSkillsOnStdio(
      registry,
      { sha256, clock: systemClock },
      {
        name: 'skillpack',
        version,
        // The program runs on this machine, and has to find the scripts.
        showFolders: true,
        // What no pack takes along, no client is told either.
        allows: (_, path) => !isSecretName(path),
        input: stdin,
        output: stdout,
        signal,
        onProblem: tell,
      },
    );
  } finally {
    // Whoever still writes would keep the process.
    stdin.destroy();
  }
}

async function skillsToServe(
  { root, scope, ...how }: ServedSkillsChoice,
  ports: ServeSkillsPorts,
): Promise<SkillRegistry> {
  const { source, builtin, scanPorts, signal } = ports;
  if (root !== undefined && scope !== undefined)
    throw new SkillsError('USAGE', '--root and --scope cannot be used together.');
  const settings = readAgentSettings(source);
  const scan = scanPorts(settings);
  if (root !== undefined) {
    const named = { path: resolve(settings.cwd, root), scope: 'other', named: true } as const;
    return createSkillRegistry(folderSkills([named], scan), { sha256 });
  }
  const skills = agentSkills({ ...settings, builtin, scope }, { sha256, scan });
  const { skills: ofProject } = await skills.projectIndex(signal);
  const offer = { ...settings, ...how, resume: undefined, instructions: false };
  const names = ofProject.map(({ name }) => name);
  const granted = grantedScripts(ofProject, settings.permissions);
  // What stands on standard input are no answers of a person.
  const trusted = await trustProject({ ...offer, skills: names, granted }, { ...ports, person: undefined });
  return skills.registry({ trusted });
}
