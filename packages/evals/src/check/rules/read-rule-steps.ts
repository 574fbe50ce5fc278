import type { Activation, RunEvent } from '@skillpack/core';
import { actionSteps } from './action-steps.js';
import { lostEvents } from './lost-events.js';
import type { EventOf, OpenAction } from './open-action.js';
import type { RuleStep } from './rule-step.js';
import { namesOfActive } from './skill-file.js';

/** What is known of one run of a record so far. */
interface RunSoFar {
  readonly activations: Activation[];
  /** Tools that were offered before anything, or at any time before now. */
  readonly offered: Set<string>;
  /** The skill that brought a tool, by the name of the tool. */
  readonly brought: Map<string, Activation>;
  readonly open: Map<string, OpenAction>;
}

/**
 * What was done in a run and its child runs, in the order in which it was decided on; of a run that was resumed, also what
 * was left out. A final answer or a question of a child run is none to a person, and no step.
 */
export function readRuleSteps(events: readonly RunEvent[]): readonly RuleStep[] {
  return new StepReader(events).read();
}

class StepReader {
  readonly #events: readonly RunEvent[];
  readonly #root: string | undefined;
  readonly #lost: ReadonlyMap<number, number>;
  readonly #runs = new Map<string, RunSoFar>();
  readonly #steps: RuleStep[] = [];

  constructor(events: readonly RunEvent[]) {
    this.#events = events;
    this.#root = events[0]?.run;
    this.#lost = lostEvents(events);
  }

  read(): readonly RuleStep[] {
    for (const event of this.#events) this.#take(event);
    this.#closeAll();
    return this.#steps.toSorted((left, right) => left.seq - right.seq);
  }

  #take(event: RunEvent): void {
    const run = this.#runOf(event.run);
    switch (event.type) {
      case 'run_resumed':
        // What was under way ends there.
        if (event.run === this.#root) this.#closeAll();
        break;
      case 'model_requested':
        for (const tool of event.tools) run.offered.add(tool);
        break;
      case 'action_started':
        this.#begin(event, run);
        break;
      case 'tool_judged':
      case 'approval_decided': {
        const action = run.open.get(event.id);
        if (action !== undefined) action.judged = event;
        break;
      }
      case 'approval_requested': {
        const action = run.open.get(event.request.id);
        if (action !== undefined) action.asked = event.request;
        break;
      }
      case 'skill_activated':
        this.#activate(event, run);
        break;
      case 'observation_recorded': {
        const action = run.open.get(event.id);
        if (action === undefined) break;
        action.observed = event;
        run.open.delete(event.id);
        this.#close(action);
        break;
      }
      default:
    }
  }

  #runOf(id: string): RunSoFar {
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const run = { activations: [], offered: new Set<string>(), brought: new Map(), open: new Map() };
    this.#runs.set(id, run);
    return run;
  }

  #begin(started: EventOf<'action_started'>, run: RunSoFar): void {
    const { action, id } = started;
    const before = run.open.get(id);
    // A record from elsewhere may give an id twice.
    if (before !== undefined) this.#close(before);
    const broughtBy = action.kind === 'call_tool' ? run.brought.get(action.tool) : undefined;
    const begun: OpenAction = { started, activations: [...run.activations], broughtBy, activated: [] };
    const isAnswer = action.kind === 'final_answer' || action.kind === 'ask_user';
    if (!isAnswer) run.open.set(id, begun);
    else if (started.run === this.#root) this.#close(begun);
  }

  #activate(event: EventOf<'skill_activated'>, run: RunSoFar): void {
    const { activation, seq } = event;
    const known = run.activations.findIndex(({ location }) => location === activation.location);
    if (known !== -1) run.activations.splice(known, 1);
    run.activations.push(activation);
    if (activation.runMode === 'inline') {
      for (const tool of activation.tools) {
        if (!run.offered.has(tool) && !run.brought.has(tool)) run.brought.set(tool, activation);
      }
    }
    if (activation.by !== 'model') {
      this.#steps.push(givenSelection(event, this.#lost.get(seq)));
      return;
    }
    // A run that goes on reads skills again, and no action does that.
    const selecting = [...run.open.values()].filter(({ started }) => selects(started, activation));
    selecting.at(-1)?.activated.push({ activation, seq });
  }

  #closeAll(): void {
    for (const { open } of this.#runs.values()) {
      for (const action of open.values()) this.#close(action);
      open.clear();
    }
  }

  #close(action: OpenAction): void {
    const { started, judged, observed } = action;
    const lostAt = Math.min(this.#lostAt(started), observed === undefined ? Infinity : this.#lostAt(observed));
    const judgedLostAt = judged === undefined ? lostAt : this.#lostAt(judged);
    this.#steps.push(...actionSteps(action, { lostAt, judgedLostAt }));
  }

  #lostAt({ seq }: RunEvent): number {
    return this.#lost.get(seq) ?? Infinity;
  }
}

function selects({ action }: EventOf<'action_started'>, activation: Activation): boolean {
  if (action.kind !== 'select_skills') return false;
  const names = new Set(namesOfActive(activation).map((name) => name.normalize('NFC')));
  return action.skills.some(({ name }) => names.has(name.normalize('NFC')));
}

/** What was there from the beginning, or was named by a person, need not be selected. */
function givenSelection({ activation, seq, run }: EventOf<'skill_activated'>, lostAt: number = Infinity): RuleStep {
  return {
    kind: 'select_skills',
    seq,
    run,
    decided: seq,
    effective: seq,
    effect: true,
    whole: { skills: namesOfActive(activation), ok: true, until: seq },
    parts: [],
    given: true,
    lostAt,
    label: `skill ${activation.name}`,
  };
}
