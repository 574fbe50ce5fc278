import { readFileSync, statSync } from 'node:fs';
import { parseReceipt, SkillsError, type InstallReceipt } from '@skillpack/core';

const largest = 1024 * 1024;

/** The receipt of an install; `undefined` for one that cannot be read. */
export function readReceipt(file: string): InstallReceipt | undefined {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > largest) return undefined;
    return parseReceipt(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (SkillsError.is(error) || (error instanceof Error && 'errno' in error)) return undefined;
    throw error;
  }
}
