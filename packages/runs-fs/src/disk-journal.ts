import { closeSync, fstatSync, fsyncSync, ftruncateSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  chainStart,
  formatRunEvent,
  formatRunSummary,
  quoted,
  recordLimits,
  renderFinal,
  SkillsError,
  summariseRun,
  type Digest,
  type KeptText,
  type RunEvent,
  type RunSummary,
} from '@skillpack/core';
import { syncHeld, type HeldFolder } from './held-folder.js';
import { releaseRun, type HeldRun } from './held-run.js';
import { asIoError, withIoErrors } from './io-error.js';
import { readKeptFile, readOpenRecord, type RecordPorts } from './read-record.js';
import type { OpenRun } from './run-folder.js';
import { isOwnFolder, keptPath, type RunPaths } from './run-paths.js';
import { writeAll, writeDurably } from './write-durably.js';

type LastEvent = Pick<RunEvent, 'seq' | 'hash'>;

/** A record that can be written to, and the event that it ends with. */
export interface OpenRecord {
  readonly descriptor: number;
  readonly held: HeldRun;
  /** @default none */
  readonly last?: LastEvent | undefined;
}

/** Writes the record of a run through a descriptor that holds its lock. */
export class DiskJournal implements OpenRun {
  readonly #paths: RunPaths;
  readonly #ports: RecordPorts;
  readonly #held: HeldRun;
  readonly #kept = new Set<Digest>();
  #descriptor: number | undefined;
  #length: number;
  #last: LastEvent;
  /** Folders that have entries which are not on the disk for certain. */
  #unsynced: Set<HeldFolder>;

  /** @param record what is there already, open for writing. */
  constructor(paths: RunPaths, record: OpenRecord, ports: RecordPorts) {
    const { descriptor, held, last } = record;
    this.#paths = paths;
    this.#held = held;
    this.#ports = ports;
    this.#descriptor = descriptor;
    this.#last = last ?? { seq: 0, hash: chainStart(paths.id, ports.sha256) };
    this.#length = fstatSync(descriptor).size;
    this.#unsynced = new Set([held.folder, held.runs]);
  }

  get id(): string {
    return this.#paths.id;
  }

  get folder(): string {
    return this.#paths.folder;
  }

  async append(event: RunEvent): Promise<void> {
    const descriptor = this.#open();
    this.#checkPlace(event);
    const bytes = new TextEncoder().encode(formatRunEvent(event));
    const { events: path } = this.#paths;
    if (this.#length + bytes.length > recordLimits.bytes) {
      throw new SkillsError('FILE_TOO_LARGE', `${path} would have more than ${recordLimits.bytes} bytes.`, {
        hint: 'Start another run.',
        data: { path, limit: recordLimits.bytes },
      });
    }
    try {
      writeAll(descriptor, bytes);
    } catch (error) {
      this.#undo(descriptor);
      throw asIoError(error, path);
    }
    this.#length += bytes.length;
    this.#last = { seq: event.seq, hash: event.hash };
  }

  async keep(bytes: Uint8Array): Promise<KeptText> {
    this.#open();
    const digest = this.#ports.sha256(bytes);
    const kept = { digest, size: bytes.length };
    if (this.#kept.has(digest)) return kept;
    this.#checkFolders();
    const { observations } = this.#held;
    if (!this.#isThere(digest)) writeDurably(keptPath(this.#paths, digest), bytes, observations.handle);
    this.#unsynced.add(observations);
    this.#kept.add(digest);
    return kept;
  }

  async sync(): Promise<void> {
    const descriptor = this.#open();
    const { events } = this.#paths;
    // First what events speak of: after a loss of power no event may name what is not there.
    for (const folder of this.#unsynced) syncHeld(folder);
    withIoErrors(events, () => fsyncSync(descriptor));
    this.#unsynced = new Set();
  }

  async finish(): Promise<RunSummary> {
    try {
      await this.sync();
      this.#checkFolders();
      const { events } = readOpenRecord(this.#open(), this.#paths, this.#ports);
      const summary = summariseRun(events);
      this.#writeSummary(events, summary);
      return summary;
    } finally {
      this.#release();
    }
  }

  /** What happened is on the disk already: that it cannot be written once more, in short, takes back nothing of it. */
  #writeSummary(events: readonly RunEvent[], summary: RunSummary): void {
    const { onUnwritten } = this.#ports;
    const encoder = new TextEncoder();
    const { folder } = this.#held;
    try {
      writeDurably(this.#paths.final, encoder.encode(renderFinal(events)), folder.handle);
      writeDurably(this.#paths.summary, encoder.encode(formatRunSummary(summary)), folder.handle);
      syncHeld(folder);
    } catch (error) {
      if (onUnwritten === undefined || !SkillsError.is(error, 'IO_ERROR')) throw error;
      onUnwritten(error);
    }
  }

  async close(): Promise<void> {
    if (this.#descriptor === undefined) return;
    try {
      await this.sync();
    } finally {
      this.#release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Whether an earlier process kept it. Whatever else is there under its name, the rename takes its place. */
  #isThere(digest: Digest): boolean {
    try {
      const { handle } = this.#held.observations;
      return readKeptFile(keptPath(this.#paths, digest), { digest, handle }, this.#ports) !== undefined;
    } catch {
      return false;
    }
  }

  /** Where somebody has put a link in the place of a folder since, nobody would find what is written. */
  #checkFolders(): void {
    const { folder, observations } = this.#paths;
    for (const path of [dirname(folder), folder, observations]) isOwnFolder(path);
  }

  /** Two runs that write to one record would make it unreadable: the second is refused. */
  #checkPlace({ run, seq, prev }: RunEvent): void {
    const { id } = this;
    if (run !== id && !run.startsWith(`${id}/`)) {
      throw new SkillsError('USAGE', `An event of the run ${quoted(run)} does not belong in the record of ${id}.`, {
        hint: 'Start the run with the id of its journal.',
      });
    }
    if (seq === this.#last.seq + 1 && prev === this.#last.hash) return;
    throw new SkillsError('USAGE', `Event ${seq} does not follow event ${this.#last.seq} of the run ${id}.`, {
      hint: 'A journal takes the events of one run; resume a run from the record that the journal came with.',
    });
  }

  #open(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    throw new SkillsError('USAGE', `The record of the run ${this.id} is closed.`, { hint: 'Resume the run.' });
  }

  #release(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    releaseRun(this.#held);
  }

  /** Of an event that did not fit, nothing stays; where even that fails, the next reader drops the torn line. */
  #undo(descriptor: number): void {
    try {
      ftruncateSync(descriptor, this.#length);
    } catch {
      this.#release();
    }
  }
}
