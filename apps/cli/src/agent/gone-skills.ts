import { foldEvents, type RunEvent } from '@skillpack/core';
import { oneLine } from '../render/describe-step.js';

/** Finds the skills that a run had read, and that are not there any more where it goes on. */
export class GoneSkills {
  readonly #events: RunEvent[] = [];
  /** Names of those that are to be read again, by location. */
  readonly #awaited = new Map<string, string>();

  /** @param before what happened already. @default nothing */
  constructor(before: readonly RunEvent[] = []) {
    this.#events.push(...before);
  }

  /** Takes the next event. @returns what a person is told, a line for each skill. */
  take(event: RunEvent): readonly string[] {
    this.#events.push(event);
    if (event.run !== this.#events[0]?.run) return [];
    switch (event.type) {
      case 'run_resumed':
        this.#await();
        return [];
      case 'skill_read':
        this.#awaited.delete(event.location);
        return [];
      case 'skill_activated':
        this.#awaited.delete(event.activation.location);
        return [];
      case 'request_received':
      case 'turn_started':
      case 'request_answered':
      case 'run_finished':
        return this.#gone();
      default:
        return [];
    }
  }

  #await(): void {
    const { activations, disabled } = foldEvents(this.#events);
    for (const { name, location, runMode } of activations) {
      const off = disabled.some((other) => other.name === name);
      if (runMode === 'inline' && !off) this.#awaited.set(location, name);
    }
  }

  #gone(): readonly string[] {
    const names = [...this.#awaited.values()];
    this.#awaited.clear();
    return names.map(
      (name) => `${oneLine(name)}, which the run had read, is not there any more: it goes on without its text`,
    );
  }
}
