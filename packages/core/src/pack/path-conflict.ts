import { foldPath } from '../digest/fold-path.js';

/** Two paths of one pack that cannot stand side by side on every file system. */
export interface PathConflict {
  /**
   * - `duplicate-path`: the same path twice;
   * - `case-collision`: two spellings of one file or folder, where case or Unicode form does not count;
   * - `file-as-folder`: one is a file, and a folder for the other.
   */
  readonly kind: 'duplicate-path' | 'case-collision' | 'file-as-folder';
  readonly path: string;
  readonly other: string;
}

interface Node {
  readonly spelled: string;
  /** `undefined` for a file. */
  readonly children: Map<string, Node> | undefined;
}

/** The first conflict among the paths of files, or `undefined`. Every folder on the way counts, not files alone. */
export function findPathConflict(paths: Iterable<string>): PathConflict | undefined {
  const root = new Map<string, Node>();
  for (const path of paths) {
    const conflict = enter(root, path);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}

function enter(root: Map<string, Node>, path: string): PathConflict | undefined {
  let siblings = root;
  for (let from = 0; ;) {
    const slash = path.indexOf('/', from);
    const file = slash === -1;
    const spelled = file ? path : path.slice(0, slash);
    const folded = foldPath(spelled.slice(from));
    let present = siblings.get(folded);
    if (present !== undefined && (file || present.children === undefined || present.spelled !== spelled)) {
      return { kind: kindOf(present, { spelled, file }), path, other: present.spelled };
    }
    if (present === undefined) {
      present = { spelled, children: file ? undefined : new Map<string, Node>() };
      siblings.set(folded, present);
    }
    if (present.children === undefined) return undefined;
    siblings = present.children;
    from = slash + 1;
  }
}

function kindOf(
  present: Node,
  { spelled, file }: { readonly spelled: string; readonly file: boolean },
): PathConflict['kind'] {
  if (present.spelled !== spelled) return 'case-collision';
  return present.children === undefined && file ? 'duplicate-path' : 'file-as-folder';
}
