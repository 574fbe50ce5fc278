import type { Confinement } from '@skillpack/core';
import type { UsageLimits } from './usage-meter.js';

/** A folder or a file that a confined program sees and cannot change. */
export interface ShownPlace {
  /** Where the program sees it. Absolute. */
  readonly path: string;
  /** Where it really lies. Absolute. */
  readonly from: string;
}

/** A program that is to be started confined. */
export interface ConfinedProgram {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** The folder in which it runs, the only one of a person's that it may write to. Absolute, without a link in it. */
  readonly workspace: string;
  /** All its variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it sees besides the workspace and what programs need, such as the folder of a skill. */
  readonly shown: readonly ShownPlace[];
  /** What only this run has: nobody else may enter it, and it is removed afterwards. Absolute. */
  readonly own: string;
}

/** What is really started, so that a program runs confined. Disposed of when it has ended. */
export interface ConfinedStart extends AsyncDisposable {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptors that it is given as 3, 4 and so on; who starts it closes them here. */
  readonly descriptors: readonly number[];
  /** Whether the first process is the sandbox's own, which ends all the others when it is asked to end. */
  readonly supervised: boolean;
  /** What all that is started may take together, where nothing else limits that. @default no limit */
  readonly usage?: UsageLimits | undefined;
  /** Whether the program itself was started, as far as can be told once all has ended. */
  started(): boolean;
}

/** A way to start programs so that they can do no harm. */
export interface Sandbox {
  readonly confinement: Confinement;
  /** The folder for what is temporary, as a program sees it. @param own as in {@link ConfinedProgram} */
  temporaryFolder(own: string): string;
  /** Whether `shown` may put another folder in the place of one. */
  readonly replaces: boolean;
  /**
   * Says how to start a program.
   *
   * @throws `TOOL_NOT_ALLOWED` for a workspace, or another folder, that would show what is to be hidden; `IO_ERROR`.
   */
  confine(program: ConfinedProgram): Promise<ConfinedStart>;
}

/** What a confined program may take. */
export interface SandboxLimits {
  /** Processes and threads at a time. @default 256 */
  readonly processes?: number | undefined;
  /** Bytes of address space of each process, and of memory of all together. Node.js does not start below 2 GiB. @default 4 GiB */
  readonly memory?: number | undefined;
  /** Bytes of a file that it writes. @default 1 GiB */
  readonly fileBytes?: number | undefined;
  /** Bytes that all of them write to disks. @default 8 GiB */
  readonly diskBytes?: number | undefined;
  /** Bytes of all that it keeps in its temporary folder. @default 256 MiB */
  readonly temporaryBytes?: number | undefined;
  /** Seconds of processor time of all processes together. @default 300 */
  readonly cpuSeconds?: number | undefined;
}
