/** The code that the operating system gave an error (`ENOENT`), or `unknown reason` for one that is not its own. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason';
}
