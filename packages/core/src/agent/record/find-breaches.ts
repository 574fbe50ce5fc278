import type { RunEvent } from '../run-event.js';

/** Where a record holds something that a run must not do. */
export interface Breach {
  /**
   * `disclosure`: a file of a skill was read before the skill was; `approval`: something was done that was neither
   * allowed nor approved.
   */
  readonly kind: 'disclosure' | 'approval';
  /** The run, or the child run. */
  readonly run: string;
  /** Of the event that shows it. */
  readonly seq: number;
  /** The action; `undefined` where none was under way. */
  readonly action: string | undefined;
}

/** What an action has come to so far. */
interface OpenAction {
  readonly guarded: boolean;
  permitted: boolean;
}

/**
 * Holds a record to what every run keeps: of a skill nothing but its text and the names of its files is read before it is
 * activated, and no script is run and no tool called that was not allowed by the rules or approved, by events of that
 * very action. Nothing but events is looked at, so that a run of any agent with the same events can be held to it.
 *
 * @returns what breaks that, in order; nothing for a run of this package.
 */
export function findBreaches(events: readonly RunEvent[]): readonly Breach[] {
  const breaches: Breach[] = [];
  const activated = new Set<string>();
  const open = new Map<string, OpenAction>();
  const current = new Map<string, string>();
  const note = (kind: Breach['kind'], { run, seq }: RunEvent, action = current.get(run)): void => {
    breaches.push({ kind, run, seq, action });
  };
  // Also what a resumed run left out has happened.
  for (const event of events) {
    const { run } = event;
    switch (event.type) {
      case 'action_started': {
        const { kind } = event.action;
        open.set(keyOf(run, event.id), { guarded: kind === 'run_script' || kind === 'call_tool', permitted: false });
        current.set(run, event.id);
        break;
      }
      case 'skill_activated':
        activated.add(event.activation.location);
        break;
      case 'skill_read':
        if (!shownBefore.has(event.path) && !activated.has(event.location)) note('disclosure', event);
        break;
      case 'tool_judged':
        permit(open.get(keyOf(run, event.id)), event.verdict === 'allow');
        break;
      case 'approval_decided':
        permit(open.get(keyOf(run, event.id)), event.decision.kind === 'approved');
        break;
      case 'observation_recorded': {
        const action = open.get(keyOf(run, event.id));
        if (action?.guarded === true && tookEffect(event) && !action.permitted) note('approval', event, event.id);
        open.delete(keyOf(run, event.id));
        current.delete(run);
        break;
      }
      default:
    }
  }
  return breaches;
}

/** What is read to activate a skill: the names of its files, and its text. */
const shownBefore: ReadonlySet<string> = new Set(['', 'SKILL.md']);

// Neither an id of a run nor one of an action holds a line break.
function keyOf(run: string, id: string): string {
  return `${run}\n${id}`;
}

/** Whether it was done, also where it failed: of a tool that failed nothing tells it from one that was not called. */
function tookEffect({ ok, output }: RunEvent & { readonly type: 'observation_recorded' }): boolean {
  return ok || Object.hasOwn(output, 'exit_code');
}

function permit(action: OpenAction | undefined, permitted: boolean): void {
  if (action !== undefined) action.permitted = permitted;
}
