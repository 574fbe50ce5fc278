import { SkillsError } from '@skillpack/core';
import { adviseOnFindings } from '../src/doctor/advise-on-findings.js';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { updatePacks } from '../src/update/update-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import type { World } from './world.js';

/** What a command came to. */
export interface Outcome {
  readonly ok: boolean;
  /** What it ended with, as far as it tells one failure from another. */
  readonly said: string;
  /** What it told to do. */
  readonly advice: string;
}

const fine: Outcome = { ok: true, said: '', advice: '' };

/** Does in a world what a command line (`skills install --replace`) does. */
export async function runWords(line: string, world: World): Promise<Outcome> {
  const [program, command, ...words] = line.split(' ');
  if (program !== 'skills') throw new Error(`no command: ${line}`);
  const names = words.filter((word) => !word.startsWith('--'));
  const has = (flag: string): boolean => words.includes(flag);
  try {
    return await run(`${command}`, { names, has }, world);
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { ok: false, said: `${error.code}: ${error.message}`, advice: error.hint ?? '' };
  }
}

interface Words {
  readonly names: readonly string[];
  readonly has: (flag: string) => boolean;
}

async function run(command: string, { names, has }: Words, world: World): Promise<Outcome> {
  const { root, ports } = world;
  const lockTimeout = 200;
  switch (command) {
    case 'install':
      await world.install(names, { replace: has('--replace'), frozen: has('--frozen'), lockTimeout });
      return fine;
    case 'update':
      await updatePacks({ root, names: [] }, ports, { replace: has('--replace'), lockTimeout });
      return fine;
    case 'uninstall':
      await uninstallPacks({ root, names }, ports, { lockTimeout });
      return fine;
    case 'verify': {
      const report = await verifyRoot({ root });
      if (report.ok) return fine;
      const findings = report.packs.flatMap((pack) => pack.findings);
      return { ok: false, said: JSON.stringify(findings), advice: adviseOnFindings(report) };
    }
    case 'doctor': {
      const { ok, findings } = await diagnoseRoot({ root }, ports, { repair: has('--repair'), lockTimeout });
      const open = findings.filter(({ repaired }) => !repaired);
      return ok ? fine : { ok, said: JSON.stringify(open), advice: open.map(({ advice }) => advice).join('\n') };
    }
    default:
      throw new Error(`no command: ${command}`);
  }
}

/** The commands that a text tells to run, in order; where it offers a choice (`…, or …`), the first. */
export function commandsIn(text: string): readonly string[] {
  const chosen = text.split('\n').map((line) => line.split(/,? or `/u)[0] ?? '');
  return [...new Set(chosen.flatMap((line) => [...line.matchAll(/`(skills [^`]+)`/gu)].map((match) => match[1]!)))];
}
