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
  long: ['wrapper', 'specs', 'fplugin', 'fpass-plugin', 'fuse-ld', 'ld-path', 'config'],
  // What is handed on to the linker can be a plug-in, or a file with more options.
  words: /^@|^-(?:B|Xclang|Xlinker|mllvm|load)|^-Wl,(?:.*,)?(?:-+pl|@)/u,
};
const objects: Suspects = { long: ['plugin'], words: /^@/u };
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
const tex: Suspects = {
  long: ['shell-escape', 'enable-write18', 'cnf-line', 'lua', 'luaonly', 'luaconly'],
  words: /\\|\|/u,
};
// The name of a file that begins with a pipe is a command; some names of formats are those of programs, or of scripts.
const images: Suspects = {
  long: ['process', 'script'],
  words: /(?:^|:)\s*\||^@|^(?:msl|ephemeral|show|win|x|launch|browse|edit|print|scan):/iu,
};
const films: Suspects = { words: /ladspa|frei0r|lv2|vapoursynth|avisynth|filter_(?:complex_)?script/iu };
const packages: Suspects = { long: ['option', 'config-file'], words: /^-[^-]*[oc]/u };
const databases: Suspects = {
  long: ['pager', 'plugin-dir', 'default-auth', 'defaults-file', 'defaults-extra-file'],
  words: /\\|system|source/iu,
};
const pips: Suspects = { long: ['python', 'editor'] };

const suspects: ReadonlyMap<string, Suspects> = new Map<string, Suspects>([
  ['asdf', { first: /^(?:exec|env|shell)$/u }],
  ['ack', { long: ['pager', 'ackrc', 'env'] }],
  ['ag', { long: ['pager'] }],
  ['apt', packages],
  ['apt-cache', packages],
  ['apt-get', packages],
  ['aptitude', packages],
  ['ar', objects],
  ['bat', { long: ['pager', 'config-file'], first: /^cache$/u }],
  ['batcat', { long: ['pager'] }],
  ['bsdtar', tars],
  ['c++', compilers],
  ['cargo', { long: ['config', 'manifest-path'], words: /^-[^-]*[CZ]/u }],
  ['cc', compilers],
  ['clang', compilers],
  ['clang++', compilers],
  ['composite', images],
  ['convert', images],
  ['cpio', { long: ['rsh-command', 'rmt-command'], words: /^-[^-]*[FIO]/u }],
  ['curl', { long: ['config', 'engine'], words: /^-[^-]*K/u }],
  ['diff3', { long: ['diff-program'] }],
  ['dvips', { words: /[|!`]|^-R/u }],
  // It reads conditions and formats as Perl.
  ['exiftool', { long: ['p'], words: /^-(?:if|@|api|config|printformat)|;/iu }],
  ['fd', { long: ['exec', 'exec-batch', 'x', 'X'], words: /^-[^-]*[xX]/u }],
  ['fdfind', { long: ['exec', 'exec-batch', 'x', 'X'], words: /^-[^-]*[xX]/u }],
  ['ffmpeg', films],
  ['ffplay', films],
  ['ffprobe', films],
  // It runs, deletes or writes what it finds.
  ['find', { words: /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|files0-from)$/u }],
  ['g++', compilers],
  ['gcc', compilers],
  // Behind `--` stand options of git.
  ['gh', { words: /^--$/u, first: /^(?:alias|extensions?|ext|config|codespace|cs)$/u }],
  ['gm', images],
  [
    'go',
    {
      long: ['toolexec', 'exec', 'vettool', 'overlay', 'modfile', 'C'],
      words: /ext(?:ld|ar)/u,
      first: /^(?:env|tool|generate|-C.*)$/u,
    },
  ],
  ['gpg', { long: ['exec-path', 'photo-viewer', 'agent-program', 'dirmngr-program', 'options', 'homedir'] }],
  ['gs', { long: ['dNOSAFER', 'dDELAYSAFER'], words: /%pipe%|^@|^-c/u }],
  ['hatch', { first: /^(?:run|shell|-.*)$/u }],
  ['helm', { long: ['post-renderer', 'kubeconfig'] }],
  ['hg', hg],
  ['identify', images],
  ['install', { long: ['strip-program'] }],
  // In such a file stands how one gets credentials.
  ['kubectl', { long: ['kubeconfig', 'exec-command'] }],
  ['latex', tex],
  ['ld', { long: ['plugin'], words: /^@/u }],
  ['libreoffice', office],
  ['lualatex', tex],
  ['luatex', tex],
  ['magick', images],
  ['make', makes],
  ['mariadb', databases],
  ['mise', { first: /^(?:exec|x|run|r|en|-.*)$/u }],
  ['mogrify', images],
  ['montage', images],
  ['mysql', databases],
  ['mysqldump', databases],
  [
    'pandoc',
    {
      long: ['filter', 'lua-filter', 'pdf-engine', 'pdf-engine-opt', 'defaults', 'data-dir'],
      words: /^-[^-]*[FLd]|\.lua/u,
    },
  ],
  ['nm', objects],
  ['nix', { first: /^(?:run|shell|develop|-.*)$/u }],
  ['openssl', { long: ['config'], words: /^-.*(?:engine|provider)/u, first: /^engine$/u }],
  ['patch', { long: ['ed', 'get'], words: /^-[^-]*[eg]/u }],
  ['pdflatex', tex],
  ['pdftex', tex],
  ['pip', pips],
  ['pip3', pips],
  // What is put out may go through a pipe.
  ['psql', { long: ['file', 'output'], words: /\\|program|^-[^-cdpruv]*[fo]/iu }],
  ['pyenv', { first: /^exec$/u }],
  ['ranlib', objects],
  ['rbenv', { first: /^exec$/u }],
  ['rg', { long: ['pre', 'hostname-bin', 'search-zip'], words: /^-[^-]*z/u }],
  ['rpm', { long: 'eval define pipe rcfile macros load'.split(' '), words: /%\(|^-[^-]*[ED]/u }],
  ['rsync', { long: ['rsh', 'rsync-path', 'remote-option', 'daemon', 'config'], words: /^-[^-]*[eM]/u }],
  ['sdiff', { long: ['diff-program', 'output'], words: /^-[^-]*o/u }],
  ['shuf', { long: ['output'], words: /^-[^-ein]*o/u }],
  ['soffice', office],
  // It reads all before it writes, so any file can be put over any other one.
  ['sort', { long: ['compress-program', 'output'], words: /^-[^-kStT]*o/u }],
  ['split', { long: ['filter'] }],
  ['sqlite3', { long: ['cmd', 'init'], words: /^\s*\.|\n\s*\.|edit\s*\(|load_extension|writefile/iu }],
  ['svn', { long: ['config-option', 'config-dir', 'diff-cmd', 'diff3-cmd', 'editor-cmd'] }],
  ['tar', tars],
  ['tex', tex],
  ['tree', { words: /^-[^-]*o/u }],
  ['wget', { long: ['use-askpass', 'execute', 'config'], words: /^-[^-]*e/u }],
  ['xelatex', tex],
  ['xetex', tex],
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

/**
 * Whether a word is one of some long options, or short for it. Some programs take the beginning of one behind one hyphen or
 * three, too, and some take `_` for `-`.
 */
export function isLong(word: string, names: readonly string[]): boolean {
  const [, hyphens, written] = /^(-+)([^-=][^=]*)/u.exec(word) ?? [];
  if (hyphens === undefined || written === undefined) return false;
  const name = written.replaceAll('_', '-');
  const short = hyphens !== '-' || name.length > 2;
  return names.some((known) => known === name || (short && known.startsWith(name)));
}
