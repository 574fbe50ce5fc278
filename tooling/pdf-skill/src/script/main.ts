import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Failure } from './failure.js';
import { help, version } from './help.js';
import { parseArguments } from './parse-arguments.js';
import { readFiles } from './read-files.js';
import { notesOn, renderJson, renderText } from './render.js';
import { runJob } from './run-job.js';
import { type Answer, type Job, superviseJob } from './supervise.js';
import { writeFiles } from './write-files.js';

async function main(args: readonly string[]): Promise<void> {
  const password = process.env['PDF_PASSWORD'];
  const invocation = parseArguments(args, password === undefined ? {} : { password });
  if (invocation.kind !== 'run') {
    process.stdout.write(invocation.kind === 'help' ? help : `${version}\n`);
    return;
  }
  const { command, options } = invocation;
  const files = readFiles(command.inputs);
  const result = await superviseJob({ command, files }, new URL(import.meta.url), { seconds: options.timeout });
  if (result.kind === 'files') writeFiles(result.files, options);
  for (const note of notesOn(result)) process.stderr.write(`note: ${note}\n`);
  process.stdout.write(options.json ? renderJson(result) : renderText(result));
}

async function work(job: Job): Promise<Answer> {
  try {
    return { kind: 'done', result: await runJob(job.command, job.files) };
  } catch (error) {
    if (error instanceof Failure) {
      return { kind: 'failed', code: error.code, message: error.message, hint: error.hint };
    }
    return { kind: 'defect', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function report(error: unknown): void {
  const known = error instanceof Failure;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    known ? `error ${error.code}: ${message}\nhint: ${error.hint}\n` : `error DEFECT of this script: ${message}\n`,
  );
  process.exitCode = known && error.code === 'USAGE' ? 2 : 1;
}

if (isMainThread) {
  // A reader that closes the pipe, as head does, has had enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') report(error);
  });
  await main(process.argv.slice(2)).catch(report);
} else {
  // A worker's port has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(await work(workerData as Job));
}
