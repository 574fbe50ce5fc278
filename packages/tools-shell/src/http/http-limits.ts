import { expectWholeNumber } from '../expect-whole-number.js';
import type { HttpToolOptions } from './http-tool-options.js';

/** How much and how long. As the fields of `HttpToolOptions` of the same names. */
export interface HttpLimits {
  readonly timeout: number;
  readonly minimumRate: number;
  readonly rateWindow: number;
  readonly requestBytes: number;
  readonly answerBytes: number;
  readonly headerBytes: number;
  readonly answerLength: number;
}

const defaults: HttpLimits = {
  timeout: 30_000,
  minimumRate: 256,
  rateWindow: 10_000,
  requestBytes: 1024 * 1024,
  answerBytes: 8 * 1024 * 1024,
  headerBytes: 32 * 1024,
  answerLength: 12_000,
};

/** The limits that were given, and the usual ones for the others. @throws `USAGE` for what is no whole number above 0. */
export function fillHttpLimits(options: HttpToolOptions): HttpLimits {
  const { timeout, minimumRate, rateWindow, requestBytes, answerBytes, headerBytes, answerLength } = options;
  const given = { timeout, minimumRate, rateWindow, requestBytes, answerBytes, headerBytes, answerLength };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const limits: HttpLimits = { ...defaults, ...Object.fromEntries(set) };
  for (const [name, value] of Object.entries<number>({ ...limits }))
    expectWholeNumber(value, { name, least: 1, most: 1024 ** 3 });
  return limits;
}
