import { randomBytes } from 'node:crypto';

/** A name that nobody else picks at the same time: 16 hexadecimal digits. */
export function randomId(): string {
  return randomBytes(8).toString('hex');
}
