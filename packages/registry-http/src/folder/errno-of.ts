/** The code that the operating system gave an error (`ENOENT`), or what it says of itself. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
}
