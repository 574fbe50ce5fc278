import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  here,
  isAlive,
  linux,
  long,
  makeSkill,
  refusal,
  runOutOfTime,
  textOf,
  withoutPrlimit,
  withWord,
} from './script-ground.js';

/** Runs a script that writes the id of what hides from it into the file `pid`, and says whether that works on. */
async function worksOn(
  file: string,
  text: string,
  options: Parameters<ReturnType<typeof makeSkill>['run']>[2] = {},
): Promise<boolean> {
  const { run, workspace } = makeSkill({ [file]: text });
  const { exitCode, stderr } = await run(file, {}, options);
  expect(exitCode, textOf(stderr)).toBe(0);
  const pid = Number(readFileSync(join(workspace, 'pid'), 'utf8'));
  expect(pid).toBeGreaterThan(1);
  // A process whose first thread has ended looks dead, and is not.
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  const works = threads.length > 1 || isAlive(pid);
  if (works) process.kill(pid, 'SIGKILL');
  return works;
}

describe.skipIf(!linux)('who hides ends all the same', () => {
  const firstThreadEnds = `
import ctypes, os, threading, time
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    for stream in (0, 1, 2): os.close(stream)
    def work():
        while not '\\nState:\\tZ' in open('/proc/self/status').read(): time.sleep(0.01)
        with open('pid.new', 'w') as file: file.write(str(os.getpid()))
        os.rename('pid.new', 'pid')
        time.sleep(100)
        os._exit(0)
    threading.Thread(target=work).start()
    ctypes.CDLL(None).pthread_exit(None)
while not os.path.exists('pid'): time.sleep(0.01)
`;
  // A title that is as long as all variables writes over them.
  const overwritesItsVariables = `
use POSIX;
if (fork() == 0) {
  POSIX::setsid();
  exit 0 if fork();
  $0 = "x" x 8000;
  close STDOUT; close STDERR;
  open(my $file, '>', 'pid.new'); print $file $$; close $file;
  rename 'pid.new', 'pid';
  sleep 100; exit 0;
}
select(undef, undef, undef, 0.01) until -e 'pid';
`;
  const forgetsItsVariables = `
env -i setsid sh -c 'setsid sh -c "echo \\$\\$ > pid.new; mv pid.new pid; exec sleep 100" > /dev/null 2>&1 &'
until test -e pid; do sleep 0.01; done
`;

  test.skipIf(!here('python3'))('behind a thread, where its first one has ended', async () => {
    expect(await worksOn('hide.py', firstThreadEnds)).toBe(false);
    expect(await worksOn('hide.py', firstThreadEnds, withoutPrlimit('python3'))).toBe(false);
  });

  test.skipIf(!here('perl') || !here('prlimit'))(
    'by writing over its variables, or starting without them',
    async () => {
      expect(await worksOn('hide.pl', overwritesItsVariables)).toBe(false);
      expect(await worksOn('hide.sh', forgetsItsVariables)).toBe(false);
    },
  );

  test('without variables, as long as its parent is there', long, async () => {
    const { run, workspace } = makeSkill({
      'hide.sh':
        'env -i setsid sh -c "trap : TERM; echo \\$\\$ > pid; while :; do sleep 0.05; done" &\nuntil test -s pid; do sleep 0.01; done\ntrap "" TERM\nwhile :; do sleep 0.05; done\n',
    });
    const options = withoutPrlimit('bash');
    const file = join(workspace, 'pid');
    const outcome = await runOutOfTime(
      async (timeout) => run('hide.sh', { timeout }, options),
      () => existsSync(file) && readFileSync(file, 'utf8') !== '',
    );
    expect(outcome).toMatchObject({ timedOut: true });
    expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
  });

  // Job control gives it a group, and nothing else of its own.
  const leavesTheGroup = `
set -m
env -i sh -c 'sh -c "echo \\$\\$ > pid.new; mv pid.new pid; exec sleep 100" > /dev/null 2>&1 &'
until test -e pid; do sleep 0.01; done
`;

  test('in a group of its own, as long as it is in the session of the script', async () => {
    expect(await worksOn('hide.sh', leavesTheGroup, withoutPrlimit('bash'))).toBe(false);
  });

  // Known by its parent alone, it starts others in sessions of their own, which then are known by theirs.
  const startsOthers = `
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0:
        os.setsid()
        time.sleep(100)
        os._exit(0)
    open('begun', 'a').close()
    time.sleep(0.001)
`;

  test.skipIf(!here('python3'))('whoever starts others in the very moment in which it ends', long, async () => {
    const { run, workspace } = makeSkill({
      'storm.sh': `trap "" TERM\nenv -i setsid python3 "$1" "$2" > /dev/null 2>&1 &\nwhile :; do sleep 0.05; done\n`,
      'storm.py': startsOthers,
    });
    const name = `storm-${randomUUID()}`;
    const left = () => withWord(name);
    onTestFinished(() => {
      for (const pid of left()) process.kill(pid, 'SIGKILL');
    });
    const controller = new AbortController();
    const options = { ...withoutPrlimit('bash'), grace: 0 };
    const request = { args: [join(workspace, '../demo/storm.py'), name], signal: controller.signal, timeout: Infinity };
    const running = refusal(run('storm.sh', request, options));
    await expect.poll(() => existsSync(join(workspace, 'begun')), { timeout: 60_000 }).toBe(true);
    expect(left().length).toBeGreaterThan(0);
    controller.abort();
    expect(await running).toBe('INTERRUPTED');
    expect(left()).toEqual([]);
  });

  test.skipIf(!here('prlimit'))('a script that marks the process that runs it does not end it', async () => {
    const { run } = makeSkill({
      'mark.sh':
        'limit=$(awk "/file locks/ { print \\$5 }" /proc/self/limits)\nprlimit --pid $PPID --locks=$limit:$limit && echo $limit\n',
    });
    onTestFinished(() => void spawnSync('prlimit', ['--pid', String(process.pid), '--locks=unlimited:unlimited']));
    const { stdout, stderr, exitCode } = await run('mark.sh');
    expect(exitCode, textOf(stderr)).toBe(0);
    expect(Number(textOf(stdout))).toBeGreaterThan(1);
    // A run within a run has a mark of its own.
    const second = await run('mark.sh');
    expect(Number(textOf(second.stdout)), textOf(second.stderr)).toBeLessThan(Number(textOf(stdout)));
  });
});
