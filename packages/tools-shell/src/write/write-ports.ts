import type { PlaceGuard } from '../confine/held-parent.js';

/** What each of the tools that write works with. */
export interface WritePorts {
  /** The folder that nothing is written outside of. */
  readonly workspace: string;
  /** Takes secrets out of a text: of a whole one, since half a secret is told by nothing. */
  readonly redact: (text: string) => string;
  /** Says, for one call, which places nobody writes to. @throws `USAGE`. */
  readonly guard: () => PlaceGuard;
  /** Bytes of a file that is read or written. */
  readonly fileBytes: number;
}
