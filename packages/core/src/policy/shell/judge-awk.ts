import { UnreadableLine } from './unreadable-line.js';

/** @throws UnreadableLine for a program in awk that could start something, write a file, or stand in a file */
export function judgeAwk(name: string, rest: readonly string[]): void {
  let at = 0;
  for (let option = rest[at]; option?.startsWith('-') === true; option = rest[at]) {
    if (!/^-[Fv]/u.test(option)) throw new UnreadableLine(`“${name}” has an option by which it could start something.`);
    at += option.length === 2 ? 2 : 1;
  }
  if (/system|getline|extension|[|>@]/u.test(rest[at] ?? '')) {
    throw new UnreadableLine(`The program for “${name}” could start another one, or write a file.`);
  }
}
