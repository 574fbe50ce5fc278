import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a client of HTTP needs besides the network, so that a test can decide it. */
export interface HttpPorts {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 (included) to 1 (excluded). */
  random(): number;
  /** Resolves after so many milliseconds; rejects when the signal is aborted. */
  delay(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** The IP addresses of a host name. */
  lookup(hostname: string): Promise<readonly string[]>;
}

/** The machine's own clock, chance and resolver. */
export const systemHttpPorts: HttpPorts = {
  now: () => Date.now(),
  random: () => Math.random(),
  delay: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal });
  },
  lookup: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
};
