import { quoted, visibleText } from '@skillpack/core';
import type { ForeignValue } from './foreign-value.js';
import type { ImportNote } from './imported-suite.js';

interface Told {
  readonly kind: ImportNote['kind'];
  readonly value: ForeignValue;
  /** Empty: nobody took it. */
  readonly message: string;
}

/** The notes of one import. Whatever is told of counts as taken. */
export class ImportNotes {
  readonly #told = new Map<string, Told>();
  readonly #cases = new Map<string, string>();

  /** Says which case stands at a value, so that notes of what is in it name that case. */
  caseAt(value: ForeignValue, id: string): void {
    if (!this.#cases.has(value.at)) this.#cases.set(value.at, id);
  }

  /** It counts no more. */
  drop(value: ForeignValue, message: string): void {
    value.take();
    this.#tell({ kind: 'dropped', value, message });
  }

  /** It means something slightly else. */
  change(value: ForeignValue, message: string): void {
    value.take();
    this.#tell({ kind: 'changed', value, message });
  }

  /** It stands there, and needs something. */
  keep(value: ForeignValue, message: string): void {
    value.take();
    this.#tell({ kind: 'kept', value, message });
  }

  /** Tells something of a value that is taken over otherwise. */
  mention(kind: ImportNote['kind'], value: ForeignValue, message: string): void {
    this.#tell({ kind, value, message });
  }

  /** All of them, with what nobody took in `root`. The same ones in several places are one, with `*` in its path. */
  all(root: ForeignValue): readonly ImportNote[] {
    for (const value of root.left()) this.drop(value, '');
    const groups = Map.groupBy(this.#told.values(), ({ kind, value, message }) =>
      JSON.stringify([kind, withStars(value.at), message]),
    );
    return [...groups.values()].map((group) => this.#note(group));
  }

  #tell(told: Told): void {
    // What all tests share is told once.
    this.#told.set(JSON.stringify([told.kind, told.value.at, told.message]), told);
  }

  #note(group: readonly Told[]): ImportNote {
    // A group is never empty.
    const { kind, value, message } = group[0] as Told;
    const cases = new Set(group.map((told) => this.#caseOf(told.value.at)));
    const [id] = cases;
    return {
      ...(cases.size === 1 && id !== undefined ? { case: id } : {}),
      at: visibleText(group.length === 1 ? value.at : withStars(value.at)),
      kind,
      message: message === '' ? leftOver(value, group.length) : withCount(message, group.length),
    };
  }

  #caseOf(at: string): string | undefined {
    for (let end = at.length; end > 0; end = at.lastIndexOf('.', end - 1)) {
      const id = this.#cases.get(at.slice(0, end));
      if (id !== undefined) return id;
    }
    return undefined;
  }
}

function withStars(at: string): string {
  return at
    .split('.')
    .map((part) => (/^\d+$/u.test(part) ? '*' : part))
    .join('.');
}

function withCount(message: string, count: number): string {
  return count === 1 ? message : message.replace(/\.$/u, ` (${count} times).`);
}

function leftOver({ at, value }: ForeignValue, count: number): string {
  const field = at.split('.').findLast((part) => !/^\d+$/u.test(part)) ?? at;
  const name = field === '' ? 'The file' : quoted(field, 60);
  if (count > 1) return `${name} has no place in a case, and was left out (${count} times).`;
  const shown = quoted(typeof value === 'string' ? value : JSON.stringify(value), 80);
  return `${name} has no place in a case, and was left out: ${shown}.`;
}
