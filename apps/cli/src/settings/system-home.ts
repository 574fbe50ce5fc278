import { homedir } from 'node:os';

/** What the system says is the person's home folder; nothing where it knows of none, as of users without a name in containers. */
export function systemHome(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
