import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { RecordedCall } from './record-calls.js';

/** A file, a folder or a link of a recorded disk, by whatever names. */
export interface Node {
  readonly kind: 'file' | 'folder' | 'link';
  readonly executable: boolean;
  /** Where a link leads. */
  readonly target: string;
}

/** Bytes of files and names in folders, as they were at the beginning. */
export interface InitialDisk {
  readonly top: Node;
  readonly content: ReadonlyMap<Node, Buffer>;
  readonly names: ReadonlyMap<Node, ReadonlyMap<string, Node>>;
}

/** One entry of a folder that changes: `undefined` when it goes. */
export interface NameChange {
  readonly folder: Node;
  readonly name: string;
  readonly node: Node | undefined;
}

/** One thing that happened to the disk. */
export type DiskEvent =
  /** Names that change at once; any of the folders brings all of them to the disk. */
  | { readonly kind: 'names'; readonly changes: readonly NameChange[] }
  | { readonly kind: 'write'; readonly node: Node; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly node: Node; readonly size: number }
  /** The bytes of a file or the names in a folder are on the disk; without a node, everything is. */
  | { readonly kind: 'flush'; readonly node: Node | undefined; readonly path: string };

/** What happened to a folder of a disk. */
export interface DiskHistory {
  readonly initial: InitialDisk;
  readonly events: readonly DiskEvent[];
}

/** The state of a disk. */
export interface DiskState {
  readonly top: Node;
  readonly content: ReadonlyMap<Node, Buffer>;
  readonly names: ReadonlyMap<Node, ReadonlyMap<string, Node>>;
}

/** Reads a folder as the beginning of a history. */
export function readInitialDisk(folder: string): InitialDisk {
  const content = new Map<Node, Buffer>();
  const names = new Map<Node, Map<string, Node>>();
  const read = (path: string): Node => {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return { kind: 'link', executable: false, target: readlinkSync(path) };
    const kind = stats.isDirectory() ? 'folder' : 'file';
    const node: Node = { kind, executable: (stats.mode & 0o100) !== 0, target: '' };
    if (kind === 'file') content.set(node, readFileSync(path));
    else names.set(node, new Map(readdirSync(path).map((name) => [name, read(join(path, name))])));
    return node;
  };
  return { top: read(folder), content, names };
}

/** What recorded calls did to a folder. */
export function historyOf(calls: readonly RecordedCall[], initial: InitialDisk, folder: string): DiskHistory {
  const events: DiskEvent[] = [];
  const disk = new MutableDisk(initial);
  for (const call of calls) {
    for (const event of eventsOf(call, disk, folder)) {
      disk.apply(event);
      events.push(event);
    }
  }
  return { initial, events };
}

/** A state that events change. */
export class MutableDisk implements DiskState {
  readonly top: Node;
  readonly content: Map<Node, Buffer>;
  readonly names: Map<Node, Map<string, Node>>;

  constructor({ top, content, names }: InitialDisk) {
    this.top = top;
    this.content = new Map(content);
    this.names = new Map([...names].map(([node, entries]) => [node, new Map(entries)]));
  }

  apply(event: DiskEvent): void {
    if (event.kind === 'names') {
      for (const { folder, name, node } of event.changes) {
        const entries = this.names.get(folder) ?? new Map<string, Node>();
        if (node === undefined) entries.delete(name);
        else entries.set(name, node);
        this.names.set(folder, entries);
      }
    } else if (event.kind === 'write') {
      const present = this.content.get(event.node) ?? Buffer.alloc(0);
      const grown = Buffer.concat([present], Math.max(present.length, event.at + event.bytes.length));
      event.bytes.copy(grown, event.at);
      this.content.set(event.node, grown);
    } else if (event.kind === 'truncate') {
      this.content.set(event.node, (this.content.get(event.node) ?? Buffer.alloc(0)).subarray(0, event.size));
    }
  }

  /** What stands at a slash-separated path; the top at the empty one. */
  find(path: string): Node | undefined {
    let node: Node | undefined = this.top;
    for (const name of path === '' ? [] : path.split('/')) node = node && this.names.get(node)?.get(name);
    return node;
  }
}

interface Place {
  readonly folder: Node;
  readonly name: string;
  readonly node: Node | undefined;
}

/** Finds what a call is about on a disk as it is before the call. */
class CallReader {
  readonly #call: RecordedCall;
  readonly #disk: MutableDisk;
  readonly #top: string;

  constructor(call: RecordedCall, disk: MutableDisk, top: string) {
    this.#call = call;
    this.#disk = disk;
    this.#top = top;
  }

  /** The path of the `index`-th argument that is one. */
  path(index: number): string {
    const { name, strings, descriptors } = this.#call;
    const path = strings[index]?.toString() ?? '';
    if (path.startsWith('/')) return path;
    return join(name.endsWith('at') || name === 'renameat2' ? (descriptors[index] ?? '') : '', path);
  }

  /** Where in the recorded folder a path is; `undefined` for one outside. */
  inside(path: string): string | undefined {
    const way = relative(this.#top, path).split(sep).join('/');
    return way.startsWith('..') ? undefined : way;
  }

  place(index: number): Place | undefined {
    const path = this.path(index);
    const parent = this.inside(dirname(path));
    const folder = parent === undefined ? undefined : this.#disk.find(parent);
    if (path === this.#top || folder === undefined) return undefined;
    return { folder, name: basename(path), node: this.#disk.names.get(folder)?.get(basename(path)) };
  }

  /** Where the descriptor of a call leads, and what is there. */
  opened(): { readonly path: string; readonly node: Node } | undefined {
    const path = this.inside((this.#call.descriptors[0] ?? '').replace(/ \(deleted\)$/u, ''));
    const node = path === undefined ? undefined : this.#disk.find(path);
    return path === undefined || node === undefined ? undefined : { path, node };
  }

  size(node: Node): number {
    return this.#disk.content.get(node)?.length ?? 0;
  }

  touchesFolder(): boolean {
    const paths = [...this.#call.descriptors, ...this.#call.strings.map((_, index) => this.path(index))];
    return paths.some((path) => this.inside(path) !== undefined);
  }
}

function eventsOf(call: RecordedCall, disk: MutableDisk, top: string): readonly DiskEvent[] {
  const reader = new CallReader(call, disk, top);
  const { name, rest, strings } = call;
  switch (name) {
    case 'openat':
      return opening(reader, rest);
    case 'mkdir':
      return appearance(reader.place(0), { kind: 'folder', executable: true, target: '' });
    case 'symlink':
      return appearance(reader.place(1), { kind: 'link', executable: false, target: String(strings[0]) });
    case 'link':
      return movement(reader, 'link');
    case 'rename':
    case 'renameat2':
      return movement(reader, rest.includes('RENAME_EXCHANGE') ? 'exchange' : 'rename');
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return appearance(reader.place(0), undefined);
    case 'write':
    case 'pwrite64':
    case 'ftruncate':
    case 'fsync':
    case 'fdatasync':
      return onDescriptor(call, reader);
    case 'sync':
    case 'syncfs':
      return [{ kind: 'flush', node: undefined, path: '' }];
    default:
      if (!reader.touchesFolder()) return [];
      throw new Error(`the model of the disk does not know ${name}`);
  }
}

function opening(reader: CallReader, flags: string): readonly DiskEvent[] {
  const place = reader.place(0);
  if (place === undefined || !/O_CREAT|O_TRUNC/u.test(flags)) return [];
  if (place.node === undefined) {
    return appearance(place, { kind: 'file', executable: /, 07\d\d/u.test(flags), target: '' });
  }
  return flags.includes('O_TRUNC') ? [{ kind: 'truncate', node: place.node, size: 0 }] : [];
}

function onDescriptor({ name, rest, strings, result }: RecordedCall, reader: CallReader): readonly DiskEvent[] {
  const opened = reader.opened();
  if (opened === undefined) return [];
  const { node, path } = opened;
  if (name === 'fsync' || name === 'fdatasync') return [{ kind: 'flush', node, path }];
  const last = Number(/(\d+)$/u.exec(rest)?.[1]);
  if (name === 'ftruncate') return [{ kind: 'truncate', node, size: last }];
  const bytes = (strings[0] ?? Buffer.alloc(0)).subarray(0, result);
  return [{ kind: 'write', node, at: name === 'pwrite64' ? last : reader.size(node), bytes }];
}

function appearance(place: Place | undefined, node: Node | undefined): readonly DiskEvent[] {
  return place === undefined ? [] : [{ kind: 'names', changes: [{ ...place, node }] }];
}

function movement(reader: CallReader, how: 'link' | 'rename' | 'exchange'): readonly DiskEvent[] {
  const [from, to] = [reader.place(0), reader.place(1)];
  if (from === undefined && to === undefined) return [];
  if (from === undefined || to === undefined) throw new Error('something came into the recorded folder, or left it');
  const left = how === 'link' ? [] : [{ ...from, node: how === 'exchange' ? to.node : undefined }];
  return [{ kind: 'names', changes: [...left, { ...to, node: from.node }] }];
}
