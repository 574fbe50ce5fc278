import ignore, { type Ignore } from 'ignore';

/** The file that says what stays out of a pack, in the syntax of .gitignore. It counts from its own folder downwards. */
export const ignoreFileName = '.skillpackignore';

const alwaysOut = [
  '.git',
  '.svn',
  '.hg',
  'node_modules',
  '__pycache__',
  '*.py[co]',
  '.venv',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.DS_Store',
  '._*',
  '__MACOSX',
  'Thumbs.db',
  'desktop.ini',
  '.idea',
  '.vscode',
  '*.sw[op]',
  '*~',
  '.#*',
  '.skillpack',
  ignoreFileName,
];

/** Of the packed folder itself: what belongs to the project, not to a skill that lies at its root; packs made before too. */
const projectOnly = [
  '/skillpack.json',
  '/skillpack-lock.json',
  '/.agents',
  '/*-[0-9]*.[0-9]*.[0-9]*.tgz',
  '/*-[0-9]*.[0-9]*.[0-9]*.zip',
];

interface Layer {
  /** The folder from which the patterns count, with a slash at the end; or nothing. */
  readonly prefix: string;
  readonly patterns: Ignore;
  /** Whether any of them may let something in. */
  readonly letsIn: boolean;
}

/** What stays out of a pack. The patterns of a deeper folder outweigh those above it. */
export class IgnoreRules {
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /** What stays out of every pack unless an ignore file lets it in (`!.vscode`). */
  static base(): IgnoreRules {
    return new IgnoreRules([{ prefix: '', patterns: parse([...alwaysOut, ...projectOnly]), letsIn: false }]);
  }

  /** These rules and those of an ignore file in `folder` (`.` for the root). */
  with(folder: string, text: string): IgnoreRules {
    const prefix = folder === '.' ? '' : `${folder}/`;
    const same = this.#layers.find((layer) => layer.prefix === prefix);
    const patterns = parse(text.replace(/^\uFEFF/u, ''), same?.patterns);
    const letsIn = same?.letsIn === true || text.includes('!');
    return new IgnoreRules([...this.#layers.filter((layer) => layer !== same), { prefix, patterns, letsIn }]);
  }

  /** Whether a path is left out; a folder's ends with a slash. Folders above it are taken to be in. */
  ignores(path: string): boolean {
    for (const { prefix, patterns, letsIn } of this.#layers.toReversed()) {
      if (!path.startsWith(prefix) || path.length === prefix.length) continue;
      const inner = path.slice(prefix.length);
      const { ignored, unignored } = patterns.test(inner);
      if (ignored || unignored) return ignored;
      // A folder that was let in here is not left out, with all that it holds, by what is said further up.
      if (letsIn && foldersOf(inner).some((folder) => patterns.test(folder).unignored)) return false;
    }
    return false;
  }
}

function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, path.endsWith('/') ? -2 : -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
}

function parse(patterns: string | readonly string[], before?: Ignore): Ignore {
  // By the letter everywhere, or one tree would make two packs.
  const rules = ignore({ ignorecase: false });
  return (before === undefined ? rules : rules.add(before)).add(patterns);
}
