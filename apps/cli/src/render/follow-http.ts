import type { HttpEvent } from '@skillpack/registry-http';
import type { Reporter } from '../frame/reporter.js';

/** A listener that tells of the network's troubles: what concerns the answer always, the rest with `--verbose`. */
export function followHttp(reporter: Reporter): (event: HttpEvent) => void {
  return (event) => {
    switch (event.kind) {
      case 'retry':
        return reporter.detail(
          `${event.url}: try ${event.attempt} in ${(event.delay / 1000).toFixed(1)} s, because ${event.reason}`,
        );
      case 'resume':
        return reporter.detail(`${event.url}: continued after ${event.offset} bytes`);
      case 'stale':
        return reporter.warn(
          `${event.url} cannot be had (${event.reason}); what was read ${ageOf(event.age)} ago is used instead.`,
        );
    }
  };
}

const units = [
  [24 * 60 * 60 * 1000, 'day'],
  [60 * 60 * 1000, 'hour'],
  [60 * 1000, 'minute'],
] as const;

function ageOf(milliseconds: number): string {
  for (const [length, name] of units) {
    const number = Math.floor(milliseconds / length);
    if (number >= 1) return `${number} ${name}${number === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}
