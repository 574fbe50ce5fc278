/** How large a record may be: more is neither written nor read. */
export const recordLimits = {
  /** UTF-16 code units of a line of `events.jsonl`. */
  line: 8 * 1024 * 1024,
  /** Bytes of `events.jsonl`. */
  bytes: 256 * 1024 * 1024,
  /** UTF-16 code units of `run.json`. */
  summary: 64 * 1024 * 1024,
} as const;
