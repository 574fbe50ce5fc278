import { resolve } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { splitList } from '../agent/split-list.js';
import { nearestName } from '../frame/nearest-name.js';
import { reporterNames } from './eval-options.js';

/** A report that is wanted. */
export interface ChosenReporter {
  readonly name: (typeof reporterNames)[number];
  /** Where it goes, absolute. @default its usual place in the folder of the results */
  readonly path?: string | undefined;
}

/**
 * The reports that a list names: `console`, `html=page.html`.
 *
 * @throws `USAGE` for one that nobody makes, and for a file of the one that is printed.
 */
export function readReporters(list: string | undefined, cwd: string): readonly ChosenReporter[] {
  if (list === undefined) return [{ name: 'console' }];
  return splitList(list).map((entry) => {
    const at = entry.indexOf('=');
    const word = at === -1 ? entry : entry.slice(0, at);
    const path = at === -1 ? undefined : entry.slice(at + 1).trim();
    const name = reporterNames.find((one) => one === word);
    if (name === undefined) {
      const nearest = nearestName(word, reporterNames);
      throw new SkillsError('USAGE', `--reporter names ${quoted(word)}; expected one of ${reporterNames.join(', ')}.`, {
        hint: nearest === undefined ? undefined : `Did you mean ${nearest}?`,
        data: { value: word },
      });
    }
    if (path === undefined) return { name };
    if (name === 'console' || path === '') {
      throw new SkillsError('USAGE', `--reporter says ${quoted(entry)}, and what stands behind = is no file for it.`, {
        hint: name === 'console' ? 'It is printed.' : `For example: --reporter ${name}=path/of/the/file`,
        data: { value: entry },
      });
    }
    return { name, path: resolve(cwd, path) };
  });
}
