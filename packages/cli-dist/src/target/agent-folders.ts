import { judgePath, quoted, SkillsError } from '@skillpack/core';
import type { InstallRoot } from '../root/install-root.js';
import { nearestText } from '../text/nearest-text.js';

/** Where an agent looks for skills; `null` for one that reads `.agents/skills` itself and needs no links. */
interface AgentFolders {
  /** Relative to a project. */
  readonly project: string | null;
  /** Relative to a person's home. */
  readonly user: string | null;
}

const own = (folder: string): AgentFolders => ({ project: `${folder}/skills`, user: `${folder}/skills` });
const shared = (user: string | null): AgentFolders => ({ project: null, user });

/** The agents whose folders are known. Any other folder can be named in `targets` by its path. */
const agents: Readonly<Record<string, AgentFolders>> = {
  amp: shared('.config/agents/skills'),
  augment: own('.augment'),
  'claude-code': own('.claude'),
  cline: shared(null),
  codex: shared(null),
  continue: own('.continue'),
  crush: { project: '.crush/skills', user: '.config/crush/skills' },
  cursor: shared('.cursor/skills'),
  droid: shared('.factory/skills'),
  'gemini-cli': shared('.gemini/skills'),
  'github-copilot': shared('.copilot/skills'),
  goose: own('.goose'),
  junie: own('.junie'),
  kilo: shared('.kilo/skills'),
  'kiro-cli': own('.kiro'),
  'mistral-vibe': own('.vibe'),
  opencode: shared('.config/opencode/skills'),
  openhands: own('.openhands'),
  qoder: own('.qoder'),
  'qwen-code': own('.qwen'),
  roo: own('.roo'),
  trae: own('.trae'),
  warp: shared(null),
  windsurf: { project: '.windsurf/skills', user: '.codeium/windsurf/skills' },
  zed: shared(null),
};

/** A folder that skills are linked into. */
export interface LinkFolder {
  /** As `targets` names it. */
  readonly target: string;
  /** Relative to the project or the person's home, slash-separated. */
  readonly folder: string;
}

/**
 * The folders to link into for the `targets` of a `skillpack.json`: names of agents, or relative folders. Agents that
 * read the root themselves need none.
 *
 * @throws `INVALID_PROJECT` for an unknown agent, or a folder that leads out of the project.
 */
export function linkFolders(targets: readonly string[], scope: InstallRoot['scope']): readonly LinkFolder[] {
  if (scope === 'other') return [];
  const folders = [...new Set(targets)].flatMap((target): readonly LinkFolder[] => {
    const folder = folderOf(target, scope);
    if (folder === undefined) throw unknownTarget(target);
    return folder === null ? [] : [{ target, folder }];
  });
  return folders.filter(({ folder }, index) => folders.findIndex((other) => other.folder === folder) === index);
}

/** Every folder that links may have been made in: those of all agents that are known, and of `targets`. */
export function possibleLinkFolders(targets: readonly string[], scope: InstallRoot['scope']): ReadonlySet<string> {
  if (scope === 'other') return new Set();
  const folders = [...targets, ...Object.keys(agents)].map((target) => folderOf(target, scope));
  return new Set(folders.filter((folder) => typeof folder === 'string'));
}

/** @returns `null` for an agent that needs no links, `undefined` for what is no target. */
function folderOf(target: string, scope: 'project' | 'user'): string | null | undefined {
  const agent = Object.hasOwn(agents, target) ? agents[target] : undefined;
  if (agent !== undefined) return agent[scope];
  const folder = target.replace(/^\.\//u, '').replace(/\/+$/u, '');
  // Git runs what lies in its folder.
  const fine = target.includes('/') && judgePath(folder) === undefined && !/(?:^|\/)\.git(?:\/|$)/iu.test(folder);
  return fine ? folder : undefined;
}

function unknownTarget(target: string): SkillsError {
  const nearest = nearestText(target, Object.keys(agents));
  return new SkillsError(
    'INVALID_PROJECT',
    `${quoted(target)} is no agent that is known, nor a folder that skills can be linked into.`,
    {
      hint:
        nearest === undefined
          ? 'Name an agent (claude-code), or a folder of the project with a slash in it (.claude/skills).'
          : `Did you mean ${nearest}?`,
      data: { target },
    },
  );
}
