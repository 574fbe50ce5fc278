import { UnreadableLine } from './unreadable-line.js';

/** By what a program is told to start another one. */
interface Suspects {
  /** Long options, without hyphens: `--name`, `--name=value`, any beginning of that, and `-name`. */
  readonly long?: readonly string[];
  /** Any word. */
  readonly words?: RegExp;
  /** The first word alone. */
  readonly first?: RegExp;
}

const makes: Suspects = { long: ['eval', 'file', 'makefile', 'directory', 'include-dir'], words: /=|^-[^-]*[fCIE]/u };
const compilers: Suspects = {
  long: ['wrapper', 'specs', 'fplugin', 'fuse-ld', 'ld-path'],
  words: /^@|^-(?:B|Xclang|load)/u,
};
const tars: Suspects = {
  long: 'to-command checkpoint-action use-compress-program rsh-command rmt-command info-script new-volume-script'.split(
    ' ',
  ),
  // A place with a colon is on another machine, which a program is started for.
  words: /^-[^-]*[IF]|^[^/]*:/u,
  first: /^[^-]*[IF]/u,
};
const hg: Suspects = {
  long: ['config', 'config-file', 'repository', 'cwd', 'debugger', 'ssh', 'remotecmd'],
  words: /^-[^-]*[Re]/u,
};

const office: Suspects = { words: /macro:|vnd\.sun\.star|script:/iu };
const tex: Suspects = { long: ['shell-escape', 'enable-write18'], words: /\\|\|/u };

const suspects: ReadonlyMap<string, Suspects> = new Map<string, Suspects>([
  ['asdf', { first: /^(?:exec|env|shell)$/u }],
  ['ack', { long: ['pager', 'ackrc', 'env'] }],
  ['ag', { long: ['pager'] }],
  ['bat', { long: ['pager', 'config-file'], first: /^cache$/u }],
  ['batcat', { long: ['pager'] }],
  ['bsdtar', tars],
  ['c++', compilers],
  ['cargo', { long: ['config'], words: /^-[^-]*[CZ]/u }],
  ['cc', compilers],
  ['clang', compilers],
  ['clang++', compilers],
  ['cpio', { long: ['rsh-command', 'rmt-command'], words: /^-[^-]*[FIO]/u }],
  ['curl', { long: ['config'], words: /^-[^-]*K/u }],
  ['diff3', { long: ['diff-program'] }],
  // It reads conditions and formats as Perl.
  ['exiftool', { long: ['config', 'p', 'printFormat'], words: /^-(?:if|@)|;/u }],
  ['fd', { long: ['exec', 'exec-batch', 'x', 'X'], words: /^-[^-]*[xX]/u }],
  ['fdfind', { long: ['exec', 'exec-batch', 'x', 'X'], words: /^-[^-]*[xX]/u }],
  // It runs, deletes or writes what it finds.
  ['find', { words: /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/u }],
  ['g++', compilers],
  ['gcc', compilers],
  ['gh', { first: /^(?:alias|extensions?|ext|config|codespace|cs)$/u }],
  ['go', { long: ['toolexec', 'exec', 'vettool', 'overlay', 'modfile'], first: /^(?:env|tool|generate|-C.*)$/u }],
  ['gs', { long: ['dNOSAFER', 'dDELAYSAFER'], words: /%pipe%|^@|^-c/u }],
  ['hatch', { first: /^(?:run|shell|-.*)$/u }],
  ['hg', hg],
  ['install', { long: ['strip-program'] }],
  ['latex', tex],
  ['libreoffice', office],
  ['lualatex', tex],
  ['make', makes],
  ['mise', { first: /^(?:exec|x|run|r|en|-.*)$/u }],
  ['mysql', { words: /\\|system|source/iu }],
  [
    'pandoc',
    {
      long: ['filter', 'lua-filter', 'pdf-engine', 'defaults', 'data-dir'],
      words: /^-[^-]*[FLd]|\.lua/u,
    },
  ],
  ['nix', { first: /^(?:run|shell|develop|-.*)$/u }],
  ['patch', { long: ['ed', 'get'], words: /^-[^-]*[eg]/u }],
  ['pdflatex', tex],
  ['psql', { long: ['file'], words: /\\|program|^-[^-]*f/iu }],
  ['pyenv', { first: /^exec$/u }],
  ['rbenv', { first: /^exec$/u }],
  ['rg', { long: ['pre', 'hostname-bin', 'search-zip'], words: /^-[^-]*z/u }],
  ['rsync', { long: ['rsh', 'rsync-path', 'remote-option', 'daemon', 'config'], words: /^-[^-]*[eM]/u }],
  ['sdiff', { long: ['diff-program', 'output'], words: /^-[^-]*o/u }],
  ['soffice', office],
  ['sort', { long: ['compress-program'] }],
  ['split', { long: ['filter'] }],
  ['sqlite3', { long: ['cmd', 'init'], words: /^\s*\.|\n\s*\.|edit\s*\(|load_extension|writefile/iu }],
  ['svn', { long: ['config-option', 'config-dir', 'diff-cmd', 'diff3-cmd', 'editor-cmd'] }],
  ['tar', tars],
  ['wget', { long: ['use-askpass', 'execute', 'config'], words: /^-[^-]*e/u }],
  ['xelatex', tex],
  ['zip', { long: ['unzip-command', 'TT', 'test'], words: /^-[^-]*T/u }],
]);

/** @throws UnreadableLine for an option by which a known program is told to start another one, or to delete */
export function judgeOptions(name: string, rest: readonly string[]): void {
  const suspect = suspects.get(name);
  if (suspect === undefined) return;
  const { long = [], words, first } = suspect;
  if (first?.test(rest[0] ?? '') === true || rest.some((word) => words?.test(word) === true || isLong(word, long))) {
    throw new UnreadableLine(`“${name}” is told to do more than its name says.`);
  }
}

/** Whether a word is one of some long options, or short for it. */
export function isLong(word: string, names: readonly string[]): boolean {
  const [, hyphens, name = ''] = /^(--?)([^=]+)/u.exec(word) ?? [];
  if (hyphens === undefined) return false;
  return names.some((known) => known === name || (hyphens === '--' && known.startsWith(name)));
}
