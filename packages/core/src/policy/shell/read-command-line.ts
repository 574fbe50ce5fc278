import type { CommandLine } from './command-line.js';

const plain = /^ *[a-zA-Z0-9_./@%+,:-][a-zA-Z0-9_./@%+,:= -]*$/u;

/**
 * Reads which simple commands a line of a POSIX shell would start. Never throws. What it cannot read for sure it calls
 * opaque, and says why.
 */
export function readCommandLine(text: string): CommandLine {
  if (text.trim() === '') return { kind: 'commands', commands: [] };
  const words = text.split(' ').filter((word) => word !== '');
  const [name = ''] = words;
  if (!plain.test(text) || name.includes('=') || unread.has(name)) {
    return { kind: 'opaque', reason: 'It is more than one command of plain words.' };
  }
  return { kind: 'commands', commands: [{ words, assignments: [], redirects: [] }] };
}

/** Reserved words, and programs that start others. */
const unread = new Set(
  (
    'if then elif else fi for while until do done case esac function select in time coproc . source eval exec command ' +
    'builtin trap env xargs find fd parallel bash sh dash zsh sudo doas su nohup setsid timeout nice ionice stdbuf ssh ' +
    'script watch flock chroot unshare busybox strace alias'
  ).split(' '),
);
