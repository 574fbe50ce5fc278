import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const skill = join(import.meta.dirname, '../../../skills-builtin/pdf');

export const script = join(skill, 'scripts/pdf.mjs');
export const sample = join(skill, 'assets/sample.pdf');

/** How the script ended. */
export interface Outcome {
  readonly code: number | string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export function fixture(name: string): string {
  return join(import.meta.dirname, 'fixtures', `${name}.pdf`);
}

/** Runs the committed script as an agent would. */
export async function runPdf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return run([process.execPath, script, ...args], env);
}

/** As {@link runPdf}, by somebody who may not write everywhere, as root may. */
export async function runPdfAsNobody(args: readonly string[]): Promise<Outcome> {
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  return run([...(process.getuid?.() === 0 ? nobody : []), process.execPath, script, ...args], {});
}

async function run(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 ** 2 };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? undefined), stdout, stderr });
    });
  });
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pdf-skill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
