import { isLong } from './judge-options.js';
import { UnreadableLine } from './unreadable-line.js';

/** What may stand before the name of a subcommand. */
const harmless: ReadonlySet<string> = new Set(
  (
    '--no-pager -P --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs ' +
    '--icase-pathspecs --version -v --help -h'
  ).split(' '),
);

/** Any other name is that of an alias, of a program beside git, or of what starts something by its nature. */
const subcommands: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore cherry cherry-pick ' +
    'checkout clean clone commit commit-graph config count-objects describe diff diff-files diff-index diff-tree fetch ' +
    'for-each-ref format-patch fsck gc grep hash-object init log ls-files ls-remote ls-tree merge merge-base merge-file ' +
    'merge-tree mv name-rev notes prune pull push range-diff rebase reflog remote reset restore rev-list rev-parse ' +
    'revert rm shortlog show show-branch show-ref sparse-checkout stash status submodule switch symbolic-ref tag ' +
    'update-index update-ref verify-commit verify-pack verify-tag version whatchanged worktree write-tree'
  ).split(' '),
);

/** By these, a subcommand is told to start a program, to take settings or hooks that do, or to write such. */
const long =
  'exec upload-pack receive-pack open-files-in-pager extcmd config template config-env strategy output'.split(' ');

/** Letters of short options that do so, by subcommand. */
const short: ReadonlyMap<string, RegExp> = new Map([
  ['archive', /^-[^-]*o/u],
  ['clone', /^-[^-]*[uc]/u],
  ['grep', /^-[^-]*O/u],
  ['ls-remote', /^-[^-]*u/u],
  ['merge', /^-[^-]*s/u],
  ['pull', /^-[^-]*s/u],
  ['rebase', /^-[^-]*[xs]/u],
]);

/** Words by which a subcommand of two words starts something. */
const second: ReadonlyMap<string, RegExp> = new Map([
  ['bisect', /^(?:run|replay|visualize|view)$/u],
  ['submodule', /^(?:foreach|add|update|init|sync|set-url)$/u],
]);

/** Settings are read, not written: a setting can be a program that the next command starts. */
const readsSettings = /^(?:--get|--get-all|--get-regexp|--list|-l|get|list)$/u;

/**
 * Judges what git is told: with a setting, a folder or a program of somebody's choosing it can start anything.
 *
 * @throws UnreadableLine
 */
export function judgeGit(rest: readonly string[]): void {
  const at = rest.findIndex((word) => !harmless.has(word));
  if (at < 0) return;
  const [name = '', ...options] = rest.slice(at);
  if (!subcommands.has(name))
    throw new UnreadableLine('“git” is told to work with other settings, or starts something.');
  const started =
    options.some((word) => isLong(word, long) || short.get(name)?.test(word) === true) ||
    options.some((word) => second.get(name)?.test(word) === true) ||
    (name === 'config' && !readsSettings.test(options[0] ?? '')) ||
    // `transport::address` is read by the program `git-remote-transport`; a host that is an option is one of ssh.
    options.some((word) => word.includes('::') || /[/@:]-o|^-oproxy/iu.test(word)) ||
    // There lie settings and hooks.
    options.some((word) => /(?:^|[/=:])\.git(?:\/|$)/iu.test(word));
  if (started) throw new UnreadableLine(`“git ${name}” is told to start another program, or to change its settings.`);
}
