import { MutableDisk, type DiskEvent, type DiskHistory, type DiskState, type Node } from './disk-history.js';

/** What a loss of power can leave of a history. */
export interface PossibleState {
  readonly state: DiskState;
  /** After how many events the power was lost. */
  readonly after: number;
  /** What became of what had not been flushed, in words. */
  readonly rule: string;
}

/** How states are chosen. */
export interface LossOptions {
  /** A number from 0 to 1, for every choice. */
  readonly random: () => number;
  /** States of chance for each event. */
  readonly perEvent: number;
}

/**
 * The states that a loss of power can leave, each once. Promised is what POSIX promises and no more: the bytes of a file
 * are there after an fsync of it, a name after an fsync of its folder, and a rename is one step. Of the rest, anything
 * may be there: nothing of it; every name and no byte, as delayed allocation leaves it; or some of it.
 */
export function* statesAfterLoss({ initial, events }: DiskHistory, options: LossOptions): Generator<PossibleState> {
  const seen = new Set<string>();
  // The end first: what is found there has to be the new state, even where it was possible earlier.
  for (let after = events.length; after >= 0; after -= 1) {
    const past = events.slice(0, after);
    const safe = flushedEvents(past);
    const rules: readonly (readonly [string, (event: DiskEvent, index: number) => boolean])[] = [
      ['nothing that was not flushed', (_, index) => safe.has(index)],
      ['every name, and bytes that were flushed', ({ kind }, index) => kind === 'names' || safe.has(index)],
      ...Array.from({ length: options.perEvent }, (_, round) => {
        return [
          `some of it, by chance ${round}`,
          (__: DiskEvent, index: number) => safe.has(index) || options.random() < 0.5,
        ] as const;
      }),
    ];
    for (const [rule, survives] of rules) {
      const state = new MutableDisk(initial);
      for (const [index, event] of past.entries()) {
        if (survives(event, index)) state.apply(event);
        else if (event.kind === 'write') state.apply({ ...event, bytes: Buffer.alloc(event.bytes.length) });
      }
      const text = describe(state, state.top);
      if (seen.has(text)) continue;
      seen.add(text);
      yield { state, after, rule };
    }
  }
}

/** The numbers of the events that are on the disk whatever happens. */
function flushedEvents(events: readonly DiskEvent[]): ReadonlySet<number> {
  const safe = new Set<number>();
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'flush') continue;
    for (let earlier = 0; earlier < index; earlier += 1) {
      if (isFlushedBy(events[earlier]!, event.node)) safe.add(earlier);
    }
  }
  return safe;
}

function isFlushedBy(event: DiskEvent, node: Node | undefined): boolean {
  if (node === undefined) return true;
  if (event.kind === 'names') return event.changes.some(({ folder }) => folder === node);
  return event.kind !== 'flush' && event.node === node;
}

/** A text that is the same for equal states. */
export function describe(state: DiskState, node: Node): string {
  if (node.kind === 'link') return JSON.stringify(node.target);
  if (node.kind === 'file') return `${String(node.executable)} ${state.content.get(node)?.toString('base64') ?? ''}`;
  const entries = [...(state.names.get(node) ?? [])].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${describe(state, entry)}`).join(',')}}`;
}
