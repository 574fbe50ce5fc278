import { join } from 'node:path';
import { SkillsError, visibleLines } from '@skillpack/core';
import { readRegularFile } from '../files/read-regular-file.js';
import type { Reporter } from '../frame/reporter.js';

const maxBytes = 256 * 1024;

/**
 * What the project says of itself: its AGENTS.md, every character visible; `undefined` where there is none. One that
 * cannot be read, or is larger than 256 KiB, is told of and left out.
 */
export function readInstructions(projectDir: string, reporter: Reporter): string | undefined {
  try {
    const text = readRegularFile(join(projectDir, 'AGENTS.md'), { maxBytes })?.toString('utf8');
    return text === undefined || text.trim() === '' ? undefined : visibleLines(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    reporter.warn(`AGENTS.md is left out: ${error.message}`);
    return undefined;
  }
}
