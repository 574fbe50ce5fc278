/** One way of doing a job, as a line of bash. */
export interface Contestant {
  /** What it is called in the table. */
  readonly name: string;
  /**
   * The line that is timed. `$NODE` is the Node that runs all of them. A contestant whose memory counts begins its
   * program with `$MEASURE`.
   */
  readonly script: string;
  /** The folder it is run in; made when it is not there. */
  readonly cwd: string;
  /** @default only PATH, HOME (the folder it is run in) and LC_ALL */
  readonly env?: Readonly<Record<string, string>>;
  /** @default 0 */
  readonly exitCode?: number;
  /** What it did not do that ours does, for the table. */
  readonly lacks?: string;
  /** Before each run, not timed. */
  readonly prepare?: () => Promise<void>;
  /** After each run, not timed: throws when what it did is wrong. `output` is what it printed on stdout. */
  readonly check?: (output: string) => Promise<void>;
}

/** A contestant that cannot run here. */
export interface Absent {
  readonly name: string;
  /** Why, and what would bring it. */
  readonly absent: string;
}

/** Something ours is compared with. */
export interface Rival {
  readonly contestant: Contestant | Absent;
  /** The ratio of ours to it that must not be exceeded; none where it is only shown. */
  readonly bar?: number;
  /** The ratio that is wanted. */
  readonly aim?: number;
}

/** One job, and those who do it in turn. */
export interface Race {
  /** What is done, and to how much. */
  readonly job: string;
  readonly ours: Contestant;
  readonly rivals: readonly Rival[];
  /** After all rounds: proves that ours still sees what is wrong. */
  readonly afterwards?: () => Promise<void>;
}
