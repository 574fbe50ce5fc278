import type { SkillRegistry } from '@skillpack/core';
import { sha256 } from '@skillpack/cli-dist';
import type { ScanPorts } from '@skillpack/registry-fs';
import type { AgentSettings } from '../settings/read-agent-settings.js';
import { agentSkills } from './agent-skills.js';
import { readInstructions } from './read-instructions.js';
import { trustProject, type ProjectOffer, type TrustPorts } from './trust-project.js';

/** Where skills are, and who is asked about those of the project. */
export interface OfferPorts extends TrustPorts {
  /** The folder of the skills that come with the command. */
  readonly builtin: string;
  readonly scanPorts: (settings: { readonly cacheDir: string }) => ScanPorts;
}

/** What a model is offered of skills, and told by the project. */
export interface OfferedSkills {
  readonly registry: SkillRegistry;
  /** Whether the project is trusted. */
  readonly trusted: boolean;
  /** Names of the skills of a project that is not. */
  readonly withheld: readonly string[];
  /** The AGENTS.md of a project that is trusted. */
  readonly instructions: string | undefined;
}

/**
 * Finds the skills of an agent, and has the project judged. What cannot be read is told of.
 *
 * @throws as `trustProject`.
 */
export async function offerSkills(
  settings: AgentSettings & Pick<ProjectOffer, 'trustProject' | 'resume'>,
  ports: OfferPorts,
): Promise<OfferedSkills> {
  const { builtin, reporter, signal, scanPorts } = ports;
  const skills = agentSkills({ ...settings, builtin }, { sha256, scan: scanPorts(settings) });
  const names = (await skills.projectIndex(signal)).skills.map(({ name }) => name);
  const instructions = readInstructions(settings.projectDir, reporter);
  const trusted = await trustProject({ ...settings, skills: names, instructions: instructions !== undefined }, ports);
  const registry = skills.registry({ trusted });
  const { problems } = await registry.index({ signal });
  for (const { code, location, message } of problems) {
    if (code === 'unreadable' || code === 'stale' || code === 'missing') reporter.warn(`${location}: ${message}`);
    else if (code !== 'untrusted') reporter.detail(`${location}: ${message}`);
  }
  return {
    registry,
    trusted,
    withheld: trusted ? [] : names,
    instructions: trusted ? instructions : undefined,
  };
}
