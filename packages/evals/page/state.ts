import type { TrialOutcome } from '../src/results/eval-result.js';
import { outcomes } from './outcomes.js';

/** Which cases and trials are shown. */
export interface Filter {
  readonly text: string;
  /** Empty: all. */
  readonly outcomes: readonly TrialOutcome[];
  readonly tag: string | undefined;
  readonly model: string | undefined;
  readonly arm: string | undefined;
  /** A cell of the matrix: what was wanted, and what was chosen; `''` for none. */
  readonly confused: { readonly wanted: string; readonly fired: string } | undefined;
}

/** Which trial is meant: what stays the same from run to run. */
export interface TrialAddress {
  readonly suite: string;
  readonly case: string;
  readonly model: string;
  readonly arm: string;
  readonly trial: number;
}

/** The trial that is looked at. */
export interface OpenTrial extends TrialAddress {
  readonly step: number | undefined;
  /** Another trial of this case that it is laid beside. */
  readonly beside: (Pick<TrialAddress, 'model' | 'arm' | 'trial'> & { readonly old: boolean }) | undefined;
}

export interface PageState {
  readonly filter: Filter;
  readonly open: OpenTrial | undefined;
}

/** The state of the page, which is its address, too: who is sent the address sees the same. */
export interface Store {
  readonly state: PageState;
  /** `push`: going back leads to the state before. */
  change(change: Partial<PageState>, how: 'push' | 'replace'): void;
  onChange(listener: () => void): void;
}

export const noFilter: Filter = {
  text: '',
  outcomes: [],
  tag: undefined,
  model: undefined,
  arm: undefined,
  confused: undefined,
};

/** A state that begins with what the address says. */
export function createStore(): Store {
  const listeners: (() => void)[] = [];
  const store = {
    state: readAddress(location.hash),
    change(change: Partial<PageState>, how: 'push' | 'replace') {
      store.state = { ...store.state, ...change };
      const address = `#${writeAddress(store.state)}`;
      try {
        if (how === 'push') history.pushState(undefined, '', address);
        else history.replaceState(undefined, '', address);
      } catch {
        // Some browsers take no more than 100 addresses in half a minute: the page goes on, and the next one is right again.
      }
      for (const listener of listeners) listener();
    },
    onChange(listener: () => void) {
      listeners.push(listener);
    },
  };
  const follow = (): void => {
    store.state = readAddress(location.hash);
    for (const listener of listeners) listener();
  };
  addEventListener('popstate', follow);
  addEventListener('hashchange', follow);
  return store;
}

function readAddress(hash: string): PageState {
  const words = new URLSearchParams(hash.replace(/^#/u, ''));
  const known = new Set<string>(outcomes.map(({ outcome }) => outcome));
  const wanted = words.get('wanted');
  const fired = words.get('fired');
  return {
    filter: {
      text: words.get('find') ?? '',
      // Filtered by what is known.
      outcomes: (words.get('outcome') ?? '').split(',').filter((word) => known.has(word)) as TrialOutcome[],
      tag: words.get('tag') ?? undefined,
      model: words.get('model') ?? undefined,
      arm: words.get('arm') ?? undefined,
      confused: wanted === null || fired === null ? undefined : { wanted, fired },
    },
    open: readOpen(words),
  };
}

function readOpen(words: URLSearchParams): OpenTrial | undefined {
  const suite = words.get('suite');
  const name = words.get('case');
  if (suite === null || name === null) return undefined;
  const [age, arm = '', trial = '', ...model] = (words.get('beside') ?? '').split(':');
  return {
    suite,
    case: name,
    model: words.get('by') ?? '',
    arm: words.get('in') ?? '',
    trial: wholeNumber(words.get('trial')) ?? 1,
    step: wholeNumber(words.get('step')),
    beside:
      age === 'old' || age === 'now'
        ? { old: age === 'old', arm, trial: wholeNumber(trial) ?? 1, model: model.join(':') }
        : undefined,
  };
}

function wholeNumber(word: string | null): number | undefined {
  return word !== null && /^\d{1,9}$/u.test(word) ? Number(word) : undefined;
}

function writeAddress({ filter, open }: PageState): string {
  const words = new URLSearchParams();
  const say = (name: string, value: string | number | undefined): void => {
    if (value !== undefined) words.set(name, String(value));
  };
  say('find', filter.text === '' ? undefined : filter.text);
  say('outcome', filter.outcomes.length === 0 ? undefined : filter.outcomes.join(','));
  say('tag', filter.tag);
  say('model', filter.model);
  say('arm', filter.arm);
  say('wanted', filter.confused?.wanted);
  say('fired', filter.confused?.fired);
  if (open !== undefined) {
    say('suite', open.suite);
    say('case', open.case);
    say('by', open.model);
    say('in', open.arm);
    say('trial', open.trial);
    say('step', open.step);
    const { beside } = open;
    if (beside !== undefined) {
      say('beside', `${beside.old ? 'old' : 'now'}:${beside.arm}:${beside.trial}:${beside.model}`);
    }
  }
  return words.toString();
}
