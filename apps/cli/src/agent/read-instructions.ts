import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { SkillsError, visibleLines } from '@skillpack/core';
import { errnoOf } from '../files/errno-of.js';
import { readRegularFile } from '../files/read-regular-file.js';
import type { Reporter } from '../frame/reporter.js';

const maxBytes = 256 * 1024;

/**
 * What the project says of itself: its AGENTS.md, every character visible; `undefined` where there is none. One that
 * cannot be read, is larger than 256 KiB, or is a link to elsewhere is told of and left out.
 */
export function readInstructions(projectDir: string, reporter: Reporter): string | undefined {
  try {
    const path = ownFile(projectDir, 'AGENTS.md');
    const text = path === undefined ? undefined : readRegularFile(path, { maxBytes })?.toString('utf8');
    return text === undefined || text.trim() === '' ? undefined : visibleLines(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    reporter.warn(`AGENTS.md is left out: ${error.message}`);
    return undefined;
  }
}

/** A project may link its AGENTS.md to another file of it, but show no model what lies outside. */
function ownFile(projectDir: string, name: string): string | undefined {
  const path = join(projectDir, name);
  try {
    const real = realpathSync(path);
    if (real.startsWith(`${realpathSync(projectDir)}${sep}`)) return real;
    throw new SkillsError('PATH_TRAVERSAL_BLOCKED', `${path} is a link that leads out of the project.`, {
      data: { path },
    });
  } catch (error) {
    if (SkillsError.is(error)) throw error;
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SkillsError('IO_ERROR', `${path} cannot be read (${code}).`, { cause: error, data: { path, code } });
  }
}
