/** An option as it is typed: `--dry-run` of `dryRun`. */
export function optionFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
}
