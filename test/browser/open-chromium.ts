import { accessSync, constants } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const program = '/usr/bin/chromium';

/**
 * Why no test can be run in Chromium here, or nothing. In CI on Linux it has to be there: a test that is left out there
 * would look like one that passed.
 */
export function whyNoChromium(): string | undefined {
  if (process.platform !== 'linux') return 'Chromium is looked for on Linux alone';
  if (process.env['CI'] !== undefined) return undefined;
  try {
    accessSync(program, constants.X_OK);
    return undefined;
  } catch {
    return `there is no ${program}: apt-get install chromium`;
  }
}

/** Starts Chromium without a window; without its own sandbox, too, which root and many containers do not have. */
export async function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
}
