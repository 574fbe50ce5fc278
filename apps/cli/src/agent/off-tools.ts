import type { RunEvent } from '@skillpack/core';
import { toolNames } from '../settings/known-tools.js';

/** The tools of this command that a model wanted to call, and that are off: a person is told of each once. */
export class OffTools {
  readonly #wanted = new Map<string, string>();
  readonly #told = new Set<string>();

  /** Takes the next event. @returns what is told of it */
  take(event: RunEvent): readonly string[] {
    if (event.type === 'action_started' && event.action.kind === 'call_tool') {
      this.#wanted.set(event.id, event.action.tool);
    }
    if (event.type !== 'observation_recorded' || event.error?.code !== 'TOOL_NOT_FOUND') return [];
    const tool = this.#wanted.get(event.id);
    if (tool === undefined || !toolNames.includes(tool) || this.#told.has(tool)) return [];
    this.#told.add(tool);
    return [
      `${tool} is off in this run. Where no configuration denies it, --allow ${tool} turns it on for a run, with a yes to each use, and \`permissions\` of your config.json for all.`,
    ];
  }
}
