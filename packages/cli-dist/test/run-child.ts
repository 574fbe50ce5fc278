import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll } from 'vitest';
import type { DoctorFinding } from '../src/doctor/doctor-report.js';
import type { ChildTask } from './children/change-root.js';

const bundle = fileURLToPath(new URL(`../node_modules/.cache/change-root-${process.pid}.mjs`, import.meta.url));
let built: Promise<unknown> | undefined;

afterAll(() => rmSync(bundle, { force: true }));

/** How a child ended. */
export interface ChildOutcome {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it reported; empty when it was killed. */
  readonly report: {
    readonly calls?: readonly string[];
    /** The process that held the root, each time this one was told to wait. */
    readonly waits?: readonly (number | null)[];
    /** What a doctor found. */
    readonly findings?: readonly DoctorFinding[];
    readonly code?: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

/** A process at work in a project. */
export interface RunningChild {
  readonly process: ChildProcess;
  readonly done: Promise<ChildOutcome>;
}

/** Whom a process runs as. */
export interface ChildIdentity {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** Starts a process of its own that changes a project, from the sources as they are. */
export async function startChild(task: ChildTask, { uid, gid }: ChildIdentity = {}): Promise<RunningChild> {
  const [program = '', ...words] = await childCommand(task);
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    uid,
    gid,
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const done = new Promise<ChildOutcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      resolve({ exitCode, signal, report: text === '' ? {} : (JSON.parse(text) as ChildOutcome['report']) });
    });
  });
  return { process: child, done };
}

/** Starts one and waits for its end. */
export async function runChild(task: ChildTask, identity: ChildIdentity = {}): Promise<ChildOutcome> {
  return (await startChild(task, identity)).done;
}

/** The command line of such a process. */
export async function childCommand(task: ChildTask): Promise<readonly string[]> {
  built ??= bundleChild();
  await built;
  return [process.execPath, bundle, JSON.stringify(task)];
}

async function bundleChild(): Promise<void> {
  mkdirSync(fileURLToPath(new URL('../node_modules/.cache', import.meta.url)), { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('./children/change-root.ts', import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['skillpack-source'],
    external: ['fs-native-extensions'],
    logLevel: 'silent',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
}
