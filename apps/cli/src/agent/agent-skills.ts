import { resolve } from 'node:path';
import {
  createSkillRegistry,
  layerRegistries,
  type SkillIndex,
  type SkillRegistry,
  type SkillRegistryPorts,
  type SkillScope,
} from '@skillpack/core';
import { folderSkills, rootsAt, type ScanPorts, type SkillRoot } from '@skillpack/registry-fs';
import type { AgentSettings } from '../settings/read-agent-settings.js';

/** The skills of an agent, those of the project apart from all others. */
export interface AgentSkills {
  /** What the project brings: its own folders, and those that its configuration names. */
  projectIndex(signal: AbortSignal): Promise<SkillIndex>;
  /** Everything that is offered. */
  registry(how: { readonly trusted: boolean }): SkillRegistry;
}

/** Where the skills of an agent are. */
export interface AgentSkillsPlaces extends AgentSettings {
  /** The folder of the distribution. */
  readonly builtin: string;
  /** @default skills of all scopes */
  readonly scope?: SkillScope | undefined;
}

/** The skills in the folders that settings name, and in the one of the distribution. */
export function agentSkills(
  settings: AgentSkillsPlaces,
  ports: SkillRegistryPorts & { readonly scan: ScanPorts },
): AgentSkills {
  const open = (roots: readonly SkillRoot[]): SkillRegistry =>
    createSkillRegistry(folderSkills(roots, ports.scan), ports);
  const { project, others } = splitRoots(settings);
  const ofProject = open(project);
  const ofOthers = open(others);
  return {
    projectIndex: async (signal) => ofProject.index({ signal }),
    registry: ({ trusted }) =>
      layerRegistries(
        [
          { registry: ofProject, trusted },
          { registry: ofOthers, trusted: true },
        ],
        ports,
      ),
  };
}

/**
 * A folder that a project names in its configuration is the project's, whatever scope its skills have; but not where it
 * is one of the person's own anyway: else a project could have these left out.
 */
function splitRoots({ projectDir, skillsHome, builtin, dirs, scope }: AgentSkillsPlaces): {
  readonly project: readonly SkillRoot[];
  readonly others: readonly SkillRoot[];
} {
  const named = dirs.origin === 'project' ? dirs.dirs : [];
  const roots = rootsAt({
    projectDir: resolve(projectDir),
    dirs: dirs.origin === 'project' ? [] : dirs.dirs,
    skillsHome: resolve(skillsHome),
    builtin: [resolve(builtin)],
  });
  const wanted = (root: SkillRoot): boolean => scope === undefined || root.scope === scope;
  const others = roots.filter((root) => root.scope !== 'project' && wanted(root));
  const own = new Set(roots.map(({ path }) => path));
  return {
    project: [
      ...roots.filter((root) => root.scope === 'project'),
      ...named.filter((path) => !own.has(path)).map((path) => ({ path, scope: 'other', named: true }) as const),
    ].filter(wanted),
    others,
  };
}
