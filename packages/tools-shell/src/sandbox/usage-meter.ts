/** What the processes of a program may take together. */
export interface UsageLimits {
  /** Bytes. */
  readonly memory: number;
  /** Seconds of processor time. */
  readonly cpuSeconds: number;
  /** Bytes that are written to disks. */
  readonly diskBytes: number;
}

/** What they have taken, as far as it is to be seen at a moment. */
export interface UsageSample {
  /** Milliseconds, from any beginning. */
  readonly at: number;
  /** Bytes that they hold now. */
  readonly memory: number;
  /** Seconds of processor time of those that live, with what they were told of those that ended. */
  readonly cpuSeconds: number;
  /** Bytes that these have written. */
  readonly writtenBytes: number;
  /** How many of them run at this moment: those that are ready to, as far as there are processors for them. */
  readonly running: number;
  /** Bytes by which the disk has become fuller since the beginning, whoever did that. */
  readonly filledBytes: number;
}

const MiB = 1024 * 1024;
/** Of a limit: memory and disks can be filled faster than is looked at. */
const nearPart = 1 / 8;

/**
 * Judges samples one after the other. Nobody tells of a process that ended and was not waited for: what was seen of it
 * last still counts, and where processes are too short to be seen, half of the time in which some ran does. The disk
 * may become twice as much fuller as it is written to, since others fill it, too.
 */
export class UsageMeter {
  readonly #limits: UsageLimits;
  readonly #cpu = new Total();
  readonly #written = new Total();
  #ranSeconds = 0;
  #last: number | undefined;
  #near = false;

  constructor(limits: UsageLimits) {
    this.#limits = limits;
  }

  /** Whether so much was taken that the rest may be taken soon. */
  get near(): boolean {
    return this.#near;
  }

  /** @returns what was exceeded, in words; `undefined` where nothing was. */
  add(sample: UsageSample): string | undefined {
    const { memory, cpuSeconds, diskBytes } = this.#limits;
    const since = sample.at - (this.#last ?? sample.at);
    this.#last = sample.at;
    this.#ranSeconds += (sample.running * since) / 1000;
    const cpu = Math.max(this.#cpu.add(sample.cpuSeconds), this.#ranSeconds / 2);
    const written = Math.max(this.#written.add(sample.writtenBytes), sample.filledBytes / 2);
    this.#near = sample.memory > memory * nearPart || written > diskBytes * nearPart;
    if (sample.memory > memory) return `held more than ${inMiB(memory)} of memory together`;
    if (cpu > cpuSeconds) return `took more than ${cpuSeconds} s of processor time together`;
    if (written > diskBytes) return `wrote more than ${inMiB(diskBytes)} to disks together`;
    return undefined;
  }
}

/** A sum that only grows: what is missing from it all at once was of somebody who ended. */
class Total {
  #ended = 0;
  #last = 0;

  add(living: number): number {
    this.#ended += Math.max(0, this.#last - living);
    this.#last = living;
    return this.#ended + living;
  }
}

function inMiB(bytes: number): string {
  return `${Math.round(bytes / MiB)} MiB`;
}
