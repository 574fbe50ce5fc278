/** How large a log of results may be: more is neither written nor read. */
export const resultLimits = {
  /** UTF-16 code units of a line. */
  line: 8 * 1024 * 1024,
  lines: 200_000,
  /** UTF-16 code units of all of it. */
  length: 384 * 1024 * 1024,
} as const;
