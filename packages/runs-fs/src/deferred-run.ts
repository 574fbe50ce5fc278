import { SkillsError, summariseRun, type Digest, type KeptText, type RunEvent, type RunSummary } from '@skillpack/core';
import type { RecordPorts } from './read-record.js';
import type { OpenRun } from './run-folder.js';
import type { RunPaths } from './run-paths.js';

/** What a record that is not there yet is made with. */
export interface DeferredPorts extends RecordPorts {
  /** Makes the record. */
  readonly make: () => Promise<OpenRun>;
}

/** Holds what happens before the first request, and makes the record with it: a run in which nothing is asked has none. */
export class DeferredRun implements OpenRun {
  readonly #paths: RunPaths;
  readonly #ports: DeferredPorts;
  readonly #events: RunEvent[] = [];
  readonly #kept = new Map<Digest, Uint8Array>();
  #made: OpenRun | undefined;
  #closed = false;

  constructor(paths: RunPaths, ports: DeferredPorts) {
    this.#paths = paths;
    this.#ports = ports;
  }

  get id(): string {
    return this.#paths.id;
  }

  get folder(): string {
    return this.#paths.folder;
  }

  async append(event: RunEvent): Promise<void> {
    if (this.#made !== undefined) return this.#made.append(event);
    this.#checkOpen();
    this.#events.push(event);
    if (event.type === 'request_received') await this.#make();
    return undefined;
  }

  async keep(bytes: Uint8Array): Promise<KeptText> {
    if (this.#made !== undefined) return this.#made.keep(bytes);
    this.#checkOpen();
    const digest = this.#ports.sha256(bytes);
    if (!this.#kept.has(digest)) this.#kept.set(digest, bytes.slice());
    return { digest, size: bytes.length };
  }

  async sync(): Promise<void> {
    if (this.#made === undefined) this.#checkOpen();
    await this.#made?.sync();
  }

  async finish(): Promise<RunSummary> {
    if (this.#made !== undefined) return this.#made.finish();
    this.#checkOpen();
    this.#closed = true;
    return summariseRun(this.#events);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#made?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #make(): Promise<void> {
    // Whatever fails from here on is told to whoever asks; nothing is held for a second attempt.
    this.#closed = true;
    const made = await this.#ports.make();
    try {
      for (const bytes of this.#kept.values()) await made.keep(bytes);
      for (const event of this.#events) await made.append(event);
    } catch (error) {
      await made.close().catch(() => undefined);
      throw error;
    }
    this.#kept.clear();
    this.#events.length = 0;
    this.#made = made;
  }

  #checkOpen(): void {
    if (!this.#closed) return;
    throw new SkillsError('USAGE', `The record of the run ${this.id} is closed.`, { hint: 'Start another run.' });
  }
}
