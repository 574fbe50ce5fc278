import { visibleText, type SkillRegistry } from '@skillpack/core';
import { sha256 } from '@skillpack/cli-dist';
import type { ScanPorts } from '@skillpack/registry-fs';
import type { AgentSettings } from '../settings/read-agent-settings.js';
import { shortened } from '../render/shortened.js';
import { refusedSkills, type RefusedSkill } from '../skills/refused-skills.js';
import { agentSkills, type AgentSkillsPlaces } from './agent-skills.js';
import { shellLine } from './approving-command.js';
import { grantedScripts } from './granted-scripts.js';
import { folderOption } from './kept-options.js';
import { readInstructions } from './read-instructions.js';
import { trustProject, type ProjectOffer, type TrustPorts } from './trust-project.js';

const mostNamed = 10;

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
  settings: AgentSettings & Pick<ProjectOffer, 'trustProject' | 'resume'> & Pick<AgentSkillsPlaces, 'scope'>,
  ports: OfferPorts,
): Promise<OfferedSkills> {
  const { builtin, reporter, signal, scanPorts } = ports;
  const skills = agentSkills({ ...settings, builtin }, { sha256, scan: scanPorts(settings) });
  const { skills: offered } = await skills.projectIndex(signal);
  const names = offered.map(({ name }) => name);
  const granted = grantedScripts(offered, settings.permissions);
  const instructions = readInstructions(settings.projectDir, reporter);
  const trusted = await trustProject(
    { ...settings, skills: names, granted, instructions: instructions !== undefined },
    ports,
  );
  const registry = skills.registry({ trusted });
  const { problems } = await registry.index({ signal });
  for (const { code, location, message } of problems) {
    if (code === 'refused') continue;
    if (code === 'unreadable' || code === 'stale' || code === 'missing') reporter.warn(`${location}: ${message}`);
    else if (code !== 'untrusted') reporter.detail(`${location}: ${message}`);
  }
  warnOfRefused(refusedSkills({ problems }), ports);
  return {
    registry,
    trusted,
    withheld: trusted ? [] : names,
    instructions: trusted ? instructions : undefined,
  };
}

/** One line, however many there are: each run would tell them all. */
function warnOfRefused(refused: readonly RefusedSkill[], { reporter, words }: TrustPorts): void {
  const [first] = refused;
  if (first === undefined) return;
  if (refused.length === 1) {
    reporter.warn(`${first.location}: ${first.message} So it is not offered.`);
    return;
  }
  const names = refused.slice(0, mostNamed).map(({ name }) => shortened(visibleText(name), 64));
  const more = refused.length > mostNamed ? ` and ${refused.length - mostNamed} more` : '';
  const list = shellLine(['skills', 'list', ...folderOption(words)]);
  reporter.warn(
    `${refused.length} skills are not offered, since their SKILL.md was refused: ${names.join(', ')}${more}. \`${list}\` says why.`,
  );
}
