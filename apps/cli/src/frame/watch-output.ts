/** The exit code of what could not be printed (EX_IOERR of sysexits.h). */
const unwritten = 74;

/**
 * Makes an error of the process's output an exit code and one line on stderr, instead of a stack. A reader that went
 * away (`skills list | head -1`) is no error; of a stderr that fails, nobody is left to tell.
 */
export function watchOutput({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  stderr.on('error', () => undefined);
  let told = false;
  stdout.on('error', ({ code = 'unknown reason' }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || told) return;
    told = true;
    process.exitCode = unwritten;
    stderr.write(`error[IO_ERROR]: What was to be printed could not be written (${code}).\n`);
  });
}
