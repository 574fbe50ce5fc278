import { foldPath } from '@skillpack/core';

/** Two paths that cannot stand beside each other. */
export interface PathConflict {
  readonly reason: 'duplicate-path' | 'case-collision' | 'file-as-folder';
  /** The earlier path, or the part of it that is in the way. */
  readonly other: string;
}

type Node = File | Folder;

interface File {
  readonly kind: 'file';
}

interface Folder {
  readonly kind: 'folder';
  readonly children: Map<string, Node>;
  /** Folded name to the name as written. */
  readonly folded: Map<string, string>;
}

/** The paths of an archive against each other: finds names that are one file, or a file and a folder, on some system. */
export class PathTree {
  readonly #root = newFolder();

  /** Adds a path that is fine by itself. A folder may be added twice. */
  add(path: string, kind: 'file' | 'folder'): PathConflict | undefined {
    let folder = this.#root;
    let start = 0;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', start)) {
      const child = step(folder, path.slice(start, slash), 'folder');
      if (typeof child === 'string') return { reason: 'case-collision', other: path.slice(0, start) + child };
      if (child.kind === 'file') return { reason: 'file-as-folder', other: path.slice(0, slash) };
      folder = child;
      start = slash + 1;
    }
    const name = path.slice(start);
    const existing = folder.children.get(name);
    if (existing !== undefined) {
      if (existing.kind !== kind) return { reason: 'file-as-folder', other: path };
      return kind === 'file' ? { reason: 'duplicate-path', other: path } : undefined;
    }
    const added = step(folder, name, kind);
    return typeof added === 'string' ? { reason: 'case-collision', other: path.slice(0, start) + added } : undefined;
  }
}

function newFolder(): Folder {
  return { kind: 'folder', children: new Map(), folded: new Map() };
}

/** The child of this name, made if it is new; a text is the name of another child that is the same on some system. */
function step(folder: Folder, name: string, kind: 'file' | 'folder'): Node | string {
  const existing = folder.children.get(name);
  if (existing !== undefined) return existing;
  const folded = foldPath(name);
  const other = folder.folded.get(folded);
  if (other !== undefined) return other;
  const made: Node = kind === 'file' ? { kind } : newFolder();
  folder.children.set(name, made);
  folder.folded.set(folded, name);
  return made;
}
