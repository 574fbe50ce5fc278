import { accessSync, constants } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const program = '/usr/bin/chromium';

/**
 * Why no test can be run in Chromium here, or nothing. In CI it has to be there: a test that is left out there would
 * look like one that passed.
 */
export function whyNoChromium(): string | undefined {
  if (process.env['CI'] !== undefined) return undefined;
  try {
    accessSync(program, constants.X_OK);
    return undefined;
  } catch {
    return `There is no Chromium at ${program}: apt-get install chromium.`;
  }
}

/** Starts Chromium without a window. Its own sandbox does not work as root. */
export async function openChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: program, args });
}
