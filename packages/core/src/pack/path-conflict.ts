import { foldPath } from './pack-path.js';

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
  readonly file: boolean;
  readonly children: Map<string, Node>;
}

/** The first conflict among the paths of files, or `undefined`. Every folder on the way counts, not files alone. */
export function findPathConflict(paths: Iterable<string>): PathConflict | undefined {
  const root: Node = { spelled: '', file: false, children: new Map() };
  for (const path of paths) {
    const conflict = enter(root, path);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}

function enter(root: Node, path: string): PathConflict | undefined {
  const components = path.split('/');
  let node = root;
  let length = 0;
  for (const [index, component] of components.entries()) {
    length += (index === 0 ? 0 : 1) + component.length;
    const file = index === components.length - 1;
    const spelled = path.slice(0, length);
    const folded = foldPath(component);
    const present = node.children.get(folded);
    if (present !== undefined && (file || present.file || present.spelled !== spelled)) {
      return { kind: kindOf(present, { spelled, file }), path, other: present.spelled };
    }
    const next = present ?? { spelled, file, children: new Map<string, Node>() };
    node.children.set(folded, next);
    node = next;
  }
  return undefined;
}

function kindOf(present: Node, entered: Pick<Node, 'spelled' | 'file'>): PathConflict['kind'] {
  if (present.spelled !== entered.spelled) return 'case-collision';
  return present.file && entered.file ? 'duplicate-path' : 'file-as-folder';
}
