import { quoted } from '../../errors/quoted.js';
import { judgeAwk } from './judge-awk.js';
import { judgeBuiltin } from './judge-builtin.js';
import { judgeGit } from './judge-git.js';
import { judgeOptions } from './judge-options.js';
import { judgePackageManager } from './judge-package-manager.js';
import { judgeSed } from './judge-sed.js';
import { UnreadableLine } from './unreadable-line.js';

/** Programs that start others in ways that are not read. */
const starters: ReadonlySet<string> = new Set(
  // What they start has words that only the run knows, or is read by another shell.
  (
    'xargs parallel script watch flock entr su runuser pkexec ssh slogin scp sftp rsh mosh at batch crontab ' +
    'busybox toybox coreutils zsh ksh mksh ksh93 csh tcsh fish rbash yash elvish nu pwsh powershell cmd osascript ' +
    'chroot unshare nsenter setpriv capsh systemd-run start-stop-daemon daemonize run-parts setarch linux32 linux64 ' +
    'i386 x86_64 taskset chrt numactl prlimit cpulimit firejail bwrap proot fakeroot fakechroot faketime sg newgrp ' +
    'login dbus-run-session dbus-launch xvfb-run strace ltrace gdb lldb valgrind perf rr catchsegv hyperfine chpst ' +
    'screen tmux dtach expect unbuffer socat nc ncat netcat rlwrap gosu su-exec tini dumb-init ' +
    'caffeinate sandbox-exec torsocks torify proxychains proxychains4 choom eatmydata systemd-inhibit ' +
    'ccache sccache distcc icecc arch wine wine64 wsl box64 scl nix-shell guix ' +
    'trickle direnv watchexec watchman chronic ifne pee ssh-agent sshpass keychain dotenv foreman ' +
    // They start what one types in them, or tells them to.
    'vi vim vimdiff nvim view ex ed red rvim emacs emacsclient nano pico less more most man info dc gdbserver ' +
    'xdg-open open start sensible-pager sensible-editor sensible-browser pager editor run-mailcap see xterm tcpdump ip m4 latexmk conjure'
  ).split(' '),
);

/** Loaders of programs, and shells with a version in their names. */
const otherStarter = /^ld(?:-.*)?\.so|^qemu-|^(?:ba|da|k|mk|z|c|tc|fi|a)?sh[\d.-]/u;

/**
 * Judges what a program is told, beyond being told to start another one in a way that is read.
 *
 * @param name as `programName` has it
 * @throws UnreadableLine where it would start, or change, what the words alone do not say
 */
export function judgeArguments(name: string, rest: readonly string[]): void {
  if (starters.has(name) || otherStarter.test(name)) {
    throw new UnreadableLine(`What ${quoted(name, 40)} would start cannot be told.`);
  }
  judgeBuiltin(name, rest);
  judgeOptions(name, rest);
  if (name === 'git') judgeGit(rest);
  if (/^(?:[mn]|original-)?awk$/u.test(name)) judgeAwk(name, rest);
  if (name === 'sed') judgeSed(rest);
  if (/^(?:npm|pnpm|yarn|yarnpkg)$/u.test(name)) judgePackageManager(name, rest);
}
