import type { Activation, AgentAction, Digest, RunEvent, RunEventBody } from '@skillpack/core';
import fc from 'fast-check';
import type { Fact, FactPart } from './checks-oracle.js';

/** What happens next in a run that is made up. */
export type Happening =
  | {
      readonly kind: 'begin';
      readonly child: boolean;
      readonly action: 'load_resource' | 'run_script' | 'select_skills' | 'final_answer';
      readonly skills: readonly string[];
      readonly path: string;
    }
  /** Of one of the actions that are under way. */
  | { readonly kind: 'end'; readonly which: number; readonly ok: boolean }
  | { readonly kind: 'judge'; readonly which: number; readonly how: 'allow' | 'refuse' | 'grant' | 'approve' | 'deny' }
  | { readonly kind: 'activate'; readonly which: number; readonly skill: string }
  | { readonly kind: 'preload'; readonly skill: string }
  | { readonly kind: 'resume'; readonly back: number };

const skill = fc.constantFrom('a', 'b');
const which = fc.nat({ max: 5 });

/** Happenings in any order, several actions at the same time, in a run and a child run, cut off and gone on with. */
export const happenings: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('begin' as const),
        child: fc.boolean(),
        action: fc.constantFrom('load_resource', 'run_script', 'run_script', 'select_skills', 'final_answer'),
        skills: fc.uniqueArray(skill, { minLength: 1, maxLength: 2 }),
        path: fc.constantFrom('a', 'b', 'p'),
      }),
    },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('end' as const), which, ok: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('judge' as const),
        which,
        how: fc.constantFrom('allow', 'refuse', 'grant', 'approve', 'deny'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('activate' as const), which, skill }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('preload' as const), skill }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const), back: fc.nat({ max: 12 }) }) },
  ),
  { maxLength: 30, size: 'max' },
);

/** An action that was begun. */
interface Begun {
  readonly run: string;
  readonly id: string;
  readonly start: number;
  readonly what: Happening & { readonly kind: 'begin' };
  end?: { readonly seq: number; readonly ok: boolean };
  judged?: { readonly seq: number; readonly how: (Happening & { readonly kind: 'judge' })['how'] };
  readonly activated: Map<string, number>;
}

// Nothing here looks at digests.
const digest = `sha256:${'0'.repeat(64)}` as Digest;

/** Makes the events of happenings, and keeps what is true of them besides. */
export class MadeRun {
  readonly events: RunEvent[] = [];
  readonly #begun: Begun[] = [];
  readonly #given: { readonly skill: string; readonly seq: number }[] = [];
  /** By the event, when it was left out. */
  readonly #lost = new Map<number, number>();
  #resumed = 0;

  constructor(all: readonly Happening[]) {
    this.#add('r', { type: 'request_received', request: { text: 'Do it.' } });
    for (const one of all) this.#take(one);
  }

  get facts(): readonly Fact[] {
    const given = this.#given.map(({ skill: name, seq }): Fact => {
      const whole = { skill: name, path: undefined, ok: true, until: seq };
      const at = { start: seq, effective: seq, effect: true, given: true, lostAt: this.#lostAt(seq) };
      return { kind: 'select_skills', ...at, whole, parts: [] };
    });
    return [...given, ...this.#begun.flatMap((begun) => this.#factsOf(begun))];
  }

  #take(one: Happening): void {
    if (one.kind === 'begin') return this.#begin(one);
    if (one.kind === 'preload') {
      const seq = this.#add('r', { type: 'skill_activated', activation: activationOf(one.skill, 'preload') });
      this.#given.push({ skill: one.skill, seq });
      return undefined;
    }
    if (one.kind === 'resume') return this.#resume(one.back);
    const open = this.#begun.filter((begun) => begun.end === undefined && begun.start > this.#resumed);
    const begun = open[one.which % Math.max(1, open.length)];
    if (begun !== undefined && begun.what.action !== 'final_answer') this.#goOn(begun, one);
    return undefined;
  }

  #begin(what: Happening & { readonly kind: 'begin' }): void {
    const run = what.child ? 'r/1' : 'r';
    const id = `a${this.#begun.length + 1}`;
    const start = this.#add(run, { type: 'action_started', id, action: actionOf(what) });
    this.#begun.push({ run, id, start, what, activated: new Map() });
  }

  #goOn(begun: Begun, one: Exclude<Happening, { readonly kind: 'begin' | 'preload' | 'resume' }>): void {
    const { run, id } = begun;
    if (one.kind === 'judge') {
      if (begun.what.action !== 'run_script') return;
      begun.judged = { seq: this.#add(run, judgementOf(id, one.how)), how: one.how };
    } else if (one.kind === 'end') {
      const { ok } = one;
      const rest = { contentForUser: undefined, output: {}, error: undefined, kept: [], duration: 0 };
      begun.end = { seq: this.#add(run, { type: 'observation_recorded', id, ok, content: '', ...rest }), ok };
    } else {
      // What a skill was activated by is told by its name: of two selections of one, the later one is meant.
      const selecting = this.#begun.filter(
        (other) => other.run === run && other.start > this.#resumed && selects(other, one.skill),
      );
      const last = selecting.at(-1);
      if (last !== begun || begun.activated.has(one.skill)) return;
      const seq = this.#add(run, { type: 'skill_activated', activation: activationOf(one.skill, 'model') });
      begun.activated.set(one.skill, seq);
    }
  }

  #resume(back: number): void {
    const after = Math.max(1, this.events.length - back);
    const seq = this.#add('r', { type: 'run_resumed', after, uncertain: undefined });
    // What was under way then ends there.
    this.#resumed = seq;
    for (let lost = after + 1; lost < seq; lost += 1) if (!this.#lost.has(lost)) this.#lost.set(lost, seq);
  }

  #factsOf({ what, start, end, judged, activated }: Begun): readonly Fact[] {
    const { action, child } = what;
    const lostAt = Math.min(this.#lostAt(start), end === undefined ? Infinity : this.#lostAt(end.seq));
    if (action === 'final_answer') {
      const whole = { skill: undefined, path: undefined, ok: true, until: start };
      const fact: Fact = {
        kind: action,
        start,
        effective: start,
        effect: true,
        given: false,
        lostAt,
        whole,
        parts: [],
      };
      return child ? [] : [fact];
    }
    const permitted = judged !== undefined && ['allow', 'grant', 'approve'].includes(judged.how);
    const common = {
      start,
      given: false,
      lostAt,
      effective: permitted ? judged.seq + 0.5 : start,
      effect: permitted || end?.ok === true,
    };
    const done = { ok: end?.ok, until: end?.seq ?? Infinity };
    if (action === 'select_skills') {
      const parts = what.skills.map((name): FactPart => {
        const at = activated.get(name);
        return { skill: name, path: undefined, ...(at === undefined ? done : { ok: true, until: at }) };
      });
      const ok = activated.size > 0 ? true : done.ok;
      const whole = { skill: undefined, path: undefined, ok, until: Math.min(done.until, ...activated.values()) };
      return [{ kind: action, ...common, whole, parts }];
    }
    const file = { skill: what.skills[0], path: what.path };
    const fact: Fact = { kind: action, ...common, whole: { ...file, ...done }, parts: [] };
    if (!permitted || judged.how === 'allow') return [fact];
    const { seq, how } = judged;
    const approval = { start: seq, effective: seq, effect: true, given: how === 'grant', lostAt: this.#lostAt(seq) };
    return [fact, { kind: 'approval', ...approval, whole: { ...file, ok: true, until: seq }, parts: [] }];
  }

  #lostAt(seq: number): number {
    return this.#lost.get(seq) ?? Infinity;
  }

  #add(run: string, body: RunEventBody): number {
    const seq = this.events.length + 1;
    const at = new Date(Date.UTC(2026, 0, 1) + seq * 1_000).toISOString();
    this.events.push({ ...body, seq, run, at, prev: digest, hash: digest });
    return seq;
  }
}

function selects({ what, end }: Begun, name: string): boolean {
  return what.action === 'select_skills' && end === undefined && what.skills.includes(name);
}

function actionOf({ action, skills, path }: Happening & { readonly kind: 'begin' }): AgentAction {
  const [name = 'a'] = skills;
  switch (action) {
    case 'load_resource':
      return { kind: action, skill: { name }, relative_path: path };
    case 'run_script':
      return { kind: action, skill: { name }, relative_path: path, args: [] };
    case 'select_skills':
      return { kind: action, skills: skills.map((one) => ({ name: one })), reason: '' };
    case 'final_answer':
      return { kind: action, content: '' };
  }
}

function judgementOf(id: string, how: (Happening & { readonly kind: 'judge' })['how']): RunEventBody {
  if (how === 'approve')
    return { type: 'approval_decided', id, decision: { kind: 'approved', scope: 'once', by: 'x' } };
  if (how === 'deny') return { type: 'approval_decided', id, decision: { kind: 'denied', reason: '', by: 'x' } };
  const verdict = how === 'refuse' ? 'refuse' : 'allow';
  return { type: 'tool_judged', id, verdict, by: how === 'grant' ? 'grant' : 'configuration' };
}

function activationOf(name: string, by: Activation['by']): Activation {
  return {
    name,
    scope: 'project',
    location: `/skills/${name}`,
    pack: undefined,
    digest,
    by,
    reason: '',
    turn: 1,
    tools: [],
    unknownTools: [],
    lines: { total: 1, shown: 1 },
    runMode: 'inline',
  };
}
