import { freeBytes, readUsage, type UsageSource } from './read-usage.js';
import { UsageMeter, type UsageLimits } from './usage-meter.js';

/** A look that is repeated until it is disposed of. */
export interface UsageWatch extends Disposable {
  /** What was exceeded, in words. Never, where nothing is. */
  readonly exceeded: Promise<string>;
}

/** Milliseconds between two looks, and between two where much was taken already. */
const [pause, shortPause] = [50, 10];
/** Where a look takes long, there is so many times as long until the next one. */
const share = 3;

/**
 * Linux: watches what a process and its descendants take together, which no limit of the kernel's bounds for who is not
 * root. It sees what lasts for a twentieth of a second, and much of what does not.
 */
export function watchUsage(source: UsageSource, limits: UsageLimits): UsageWatch {
  const { promise, resolve } = Promise.withResolvers<string>();
  const meter = new UsageMeter(limits);
  const free = freeBytes(source.workspace);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const begun = performance.now();
    const exceeded = meter.add(readUsage(source, { memory: limits.memory, free }));
    if (exceeded !== undefined) resolve(exceeded);
    else timer = setTimeout(look, Math.max(meter.near ? shortPause : pause, share * (performance.now() - begun)));
  };
  timer = setTimeout(look, pause);
  return { exceeded: promise, [Symbol.dispose]: () => clearTimeout(timer) };
}
