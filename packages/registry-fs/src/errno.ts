/** The name of the operating system's error, `ENOENT`; rethrows what is no such error. */
export function errnoOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}
