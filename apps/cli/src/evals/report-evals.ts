import { resolve } from 'node:path';
import type { EvalData } from './eval-data.js';
import { readKeptEvals } from './eval-files.js';
import type { GateFlags } from './eval-options.js';
import { casesAt } from './find-cases.js';
import { judgeKept } from './judge-kept.js';

/** What a command line says of results that are there. */
export interface ReportFlags extends GateFlags {
  readonly dir: string;
  /** Where the cases lie, for titles. */
  readonly cases?: string | undefined;
  readonly reporter?: string | undefined;
}

/** Makes reports of results that are there. @throws as `readKeptEvals` and `judgeKept`. */
export async function reportEvals(flags: ReportFlags, cwd: string): Promise<EvalData> {
  const out = resolve(cwd, flags.dir);
  const kept = readKeptEvals(out);
  return judgeKept({ ...kept, ...(await casesAt(flags.cases, cwd)), out, cwd }, flags);
}
