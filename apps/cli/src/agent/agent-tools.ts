import { couldBeUsed, type Clock, type Permissions, type Tool } from '@skillpack/core';
import {
  createCommandTool,
  createHttpTool,
  createReadTools,
  createWriteTools,
  type Environment,
  type Sandbox,
} from '@skillpack/tools-shell';
import { judged } from './agent-permissions.js';

/** What tools take from their surroundings. */
export interface ToolPorts {
  readonly clock: Pick<Clock, 'now'>;
  /** Takes secrets out of what is told. */
  readonly redact: (text: string) => string;
}

/** Where tools work. */
export interface ToolPlaces {
  /** The folder of the project. */
  readonly workspace: string;
  /** Folders of skills that were read: they are read, and not written. Asked for each time. */
  readonly folders: () => readonly string[];
  /** The variables of this process: of proxies, for one. */
  readonly environment: Environment;
  /** Those of them that commands are handed besides the usual ones. */
  readonly variables: readonly string[];
  /** Where commands run. @default nothing confines them */
  readonly sandbox: Sandbox | undefined;
  /** What no tool writes besides: records, and where skills are. */
  readonly protected: readonly string[];
}

/** All tools that there are for an agent; which of them are offered, permissions say. */
export function agentTools(
  { clock, redact }: ToolPorts,
  { workspace, folders, environment, variables, sandbox, protected: places }: ToolPlaces,
): readonly Tool[] {
  const keep = sandbox === undefined ? {} : { protected: () => places };
  return [
    ...createReadTools({ clock, redact }, { workspace, folders }),
    ...createWriteTools({ clock, redact }, { workspace, protected: () => [...places, ...folders()] }),
    createCommandTool({ clock, redact, environment }, { workspace, variables, sandbox, folders, ...keep }),
    createHttpTool({ clock, redact }, { environment }),
  ];
}

/** The tools of which some use may be allowed, or allowed after a yes. */
export function usableTools(tools: readonly Tool[], permissions: Permissions): readonly Tool[] {
  return tools.filter((tool) => couldBeUsed(judged(tool), { permissions, skills: [] }));
}
