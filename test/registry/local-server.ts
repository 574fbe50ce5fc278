import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return address.port;
}

/** Waits until a server that was started answers at this URL, whatever it answers: for half a minute at most. */
export async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    try {
      await fetch(url);
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`Nothing answers at ${url}.`);
}
