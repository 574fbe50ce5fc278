import { SkillsError } from '../errors/skills-error.js';
import { skillScopes } from '../registry/layer-skills.js';
import type { SkillReference } from '../registry/skill-entry.js';
import type { DisabledSkill, DisableOptions } from '../registry/skill-view.js';
import { activateSkill } from './activate-skill.js';
import type { AgentRun, AskOptions, RunAnswer } from './agent-run.js';
import { checkOptions } from './check-options.js';
import { readIndexAnew } from './index-change.js';
import { longestText } from './longest-text.js';
import { pendingAction } from './pending-action.js';
import { Patience } from './patience.js';
import { readChangedSkills } from './read-changed-skills.js';
import type { RecordedRequest, UserRequest } from './run-event.js';
import type { RunScope } from './run-scope.js';
import type { RunState } from './run-state.js';
import { disableForPerson, enableForPerson, findForPerson } from './switch-for-person.js';
import { workOnRequest } from './work-on-request.js';

/** A run, as those who started it see it. */
export class RunSession implements AgentRun {
  readonly #scope: RunScope;
  #busy = false;

  constructor(scope: RunScope) {
    this.#scope = scope;
  }

  get id(): string {
    return this.#scope.id;
  }

  get state(): RunState {
    return this.#scope.state();
  }

  async ask(request: string | UserRequest, options: AskOptions = {}): Promise<RunAnswer> {
    checkOptions(options, 'ask');
    const wanted = requestOf(request);
    return this.#alone(async () => {
      await this.#receive(wanted, options);
      return this.#work(options);
    });
  }

  async goOn(options: AskOptions = {}): Promise<RunAnswer | undefined> {
    checkOptions(options, 'goOn');
    return this.#alone(async () => {
      const { request, answer } = this.state;
      if (request === undefined || answer?.degraded === false) return undefined;
      return workOnRequest(this.#scope, { ...options, pending: pendingAction(this.state) });
    });
  }

  async disable(skill: string, options: Pick<DisableOptions, 'reason'> = {}): Promise<DisabledSkill> {
    return this.#alone(async () =>
      this.#patiently(undefined, async () => disableForPerson(this.#scope, skill, options)),
    );
  }

  async enable(skill: string): Promise<DisabledSkill | undefined> {
    return this.#alone(async () => enableForPerson(this.#scope, skill));
  }

  async finish(): Promise<RunState> {
    return this.#alone(async () => {
      const { recorder, id } = this.#scope;
      await recorder.append(id, { type: 'run_finished' });
      await recorder.sync();
      return this.state;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { recorder } = this.#scope;
    const { finished, request, answer } = this.state;
    // A record that cannot be written was told of by whatever met that first.
    if (finished || recorder.broken) return;
    // Another process may go on with a request that has no answer.
    if (request !== undefined && answer === undefined) await recorder.sync();
    else await this.finish();
  }

  async #work(options: AskOptions): Promise<RunAnswer> {
    return workOnRequest(this.#scope, options);
  }

  /** What the request needs is read before the record says that there is one: then it can be worked on, or was not made. */
  async #receive({ text, skill }: UserRequest, { signal }: AskOptions): Promise<void> {
    if (skill !== undefined) checkReference(skill);
    const { recorder, id, settings } = this.#scope;
    // What stands for a secret may be longer.
    const { length } = text.length > longestText ? text : recorder.redact(text);
    if (length > longestText) {
      throw new SkillsError(
        'FILE_TOO_LARGE',
        `The request has ${length} characters; at most ${longestText} are taken.`,
        {
          hint: 'Put what it is about into a file, and name the file.',
        },
      );
    }
    await this.#patiently(signal, async () => {
      if (settings.autoReload && settings.enableSkills) {
        await readIndexAnew(this.#scope);
        await readChangedSkills(this.#scope, skill);
      }
      const called = skill === undefined ? {} : await this.#call(skill);
      await recorder.append(id, { type: 'request_received', request: { text, ...called } });
    });
  }

  /** What the registry is asked for outside of a request may take the time of one. */
  async #patiently<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    const { ports, settings, library } = this.#scope;
    const patience = new Patience(ports.clock, { cancelled: signal, time: settings.limits.wallTime });
    library.patience = patience;
    try {
      return await work();
    } finally {
      patience.release();
    }
  }

  /** Reads the skill that a person names. Of one name there may be several: the record says which it was. */
  async #call(skill: string | SkillReference): Promise<Pick<RecordedRequest, 'skill' | 'source'>> {
    const named = await findForPerson(this.#scope, skill);
    await activateSkill(this.#scope, named, { by: 'user', reason: 'The person named it.' });
    return { skill: nameOf(skill), source: named.entry.scope };
  }

  async #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const { id } = this.#scope;
    if (this.#busy) {
      throw new SkillsError('BUSY', `The run ${id} works on another request.`, { hint: 'Wait for its answer.' });
    }
    if (this.state.finished)
      throw new SkillsError('USAGE', `The run ${id} is finished.`, { hint: 'Start another one.' });
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
    }
  }
}

/** Those who call may write in a language without types. @throws `USAGE` for a request in which nothing is asked. */
function requestOf(request: unknown): UserRequest {
  const wanted = typeof request === 'string' ? { text: request } : request;
  const { text, skill }: Partial<Record<keyof UserRequest, unknown>> =
    typeof wanted === 'object' && wanted !== null ? wanted : {};
  // Its fields were looked at; the skill is looked at when it is read.
  if (typeof text === 'string' && (skill !== undefined || text.trim() !== '')) return wanted as UserRequest;
  throw new SkillsError('USAGE', 'The request says nothing.', {
    hint: `Ask for something, as in run.ask('Fill the form.') or run.ask({ text: '', skill: 'pdf' }).`,
  });
}

/** Those who call may write in a language without types. @throws `USAGE` for what names no skill. */
function checkReference(skill: unknown): void {
  const { name, source }: Partial<Record<keyof SkillReference, unknown>> =
    typeof skill === 'object' && skill !== null ? skill : { name: skill };
  const known: readonly unknown[] = [undefined, ...skillScopes];
  if (typeof name === 'string' && known.includes(source)) return;
  throw new SkillsError('USAGE', 'The skill of a request is no name, and no name with a source.', {
    hint: `Name it as in { name: 'pdf', source: 'user' }; sources are ${skillScopes.join(', ')}.`,
  });
}

function nameOf(reference: string | SkillReference): string {
  return typeof reference === 'string' ? reference : reference.name;
}
