import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';

/** A step that was run. */
export interface WorkflowStep {
  /** `run (1): Run a part`. */
  readonly name: string;
  readonly exitCode: number | null;
  readonly output: string;
}

/** What a workflow came to. */
export interface WorkflowRun extends Disposable {
  readonly steps: readonly WorkflowStep[];
  /** What steps wrote for the page of the run. */
  readonly summary: string;
  /** The folder of an artifact. */
  artifact(name: string): string;
}

interface WrittenStep {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

interface WrittenJob {
  readonly needs?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (string | number)[]>> };
  readonly steps: readonly WrittenStep[];
}

/** How a workflow is run. */
export interface WorkflowOptions {
  /** The command that its steps call, as `skills`: what the step `Install` would bring. */
  readonly command: string;
  /** Called with each folder that was checked out, before its steps. */
  readonly prepare?: (folder: string) => void;
  /** Whether an artifact that was uploaded gets lost. @default none does */
  readonly loses?: (name: string) => boolean;
}

/**
 * Runs the `run` steps of a workflow of GitHub Actions as they are written, each job on a copy of the project. Of actions it
 * knows those that keep and fetch artifacts. A step that fails ends its job, and the jobs that need it are not begun.
 */
export function runWorkflow(project: string, path: string, options: WorkflowOptions): WorkflowRun {
  const base = mkdtempSync(join(tmpdir(), 'skillpack-workflow-'));
  const bin = join(base, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'skills'), `#!/bin/sh\nexec "${process.execPath}" "${options.command}" "$@"\n`);
  chmodSync(join(bin, 'skills'), 0o755);
  const summary = join(base, 'summary.md');
  writeFileSync(summary, '');
  const { jobs } = parse(readFileSync(join(project, path), 'utf8')) as {
    readonly jobs: Readonly<Record<string, WrittenJob>>;
  };
  const steps: WorkflowStep[] = [];
  const failed = new Set<string>();
  for (const [name, job] of Object.entries(jobs)) {
    if (job.needs !== undefined && failed.has(job.needs)) continue;
    for (const matrix of combinationsOf(job)) {
      const folder = join(base, 'checkouts', `${name}-${Object.values(matrix).join('-')}`);
      cpSync(project, folder, { recursive: true });
      options.prepare?.(folder);
      const ran = runJob(job, { name, matrix, folder, base, bin, summary, options });
      steps.push(...ran);
      if (ran.some(({ exitCode }) => exitCode !== 0)) failed.add(name);
    }
  }
  return {
    steps,
    summary: readFileSync(summary, 'utf8'),
    artifact: (name) => join(base, 'artifacts', name),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

function combinationsOf({ strategy }: WrittenJob): readonly Readonly<Record<string, string | number>>[] {
  return Object.entries(strategy?.matrix ?? {}).reduce<readonly Readonly<Record<string, string | number>>[]>(
    (made, [key, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
    [{}],
  );
}

interface JobPlace {
  readonly name: string;
  readonly matrix: Readonly<Record<string, string | number>>;
  readonly folder: string;
  readonly base: string;
  readonly bin: string;
  readonly summary: string;
  readonly options: WorkflowOptions;
}

function runJob({ steps }: WrittenJob, place: JobPlace): readonly WorkflowStep[] {
  const { matrix, folder, base, bin, summary, options } = place;
  const fill = (text: string): string =>
    text.replace(/\$\{\{ matrix\.(\w+) \}\}/gu, (_written, key: string) => String(matrix[key]));
  const ran: WorkflowStep[] = [];
  for (const step of steps) {
    const input = (key: string): string => fill(String(step.with?.[key] ?? ''));
    if (step.uses?.startsWith('actions/upload-artifact@') === true) {
      const kept = join(folder, input('path'));
      // As the action does it: of a path that is not there it only warns.
      if (options.loses?.(input('name')) === true || !existsSync(kept)) continue;
      cpSync(kept, join(base, 'artifacts', input('name')), { recursive: true });
    } else if (step.uses?.startsWith('actions/download-artifact@') === true) {
      for (const found of globSync(input('pattern'), { cwd: join(base, 'artifacts') })) {
        cpSync(join(base, 'artifacts', found), join(folder, input('path'), found), { recursive: true });
      }
    } else if (step.run !== undefined && step.name !== 'Install') {
      const { PATH = '', ...inherited } = process.env;
      const env = { ...inherited, PATH: bin + delimiter + PATH, HOME: base, CI: 'true', GITHUB_STEP_SUMMARY: summary };
      // As the runner of GitHub starts a step on Linux.
      const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', fill(step.run)], {
        cwd: folder,
        encoding: 'utf8',
        env,
      });
      const at = Object.values(matrix).join(', ');
      const name = `${place.name}${at === '' ? '' : ` (${at})`}: ${step.name ?? ''}`;
      ran.push({ name, exitCode: status, output: stdout + stderr });
      if (status !== 0) return ran;
    }
  }
  return ran;
}
