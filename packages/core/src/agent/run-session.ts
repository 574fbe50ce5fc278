import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { checkListing } from '../registry/check-listing.js';
import { skillScopes } from '../registry/layer-skills.js';
import type { SkillReference } from '../registry/skill-entry.js';
import { activateSkill, readSkillText } from './activate-skill.js';
import type { AgentRun, AskOptions, RunAnswer } from './agent-run.js';
import { longestText } from './longest-text.js';
import { Patience } from './patience.js';
import type { RecordedRequest, UserRequest } from './run-event.js';
import type { ReadSkill, RunScope } from './run-scope.js';
import type { RunState } from './run-state.js';
import { takeSnapshot } from './skill-library.js';
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
    const wanted = typeof request === 'string' ? { text: request } : request;
    return this.#alone(async () => {
      await this.#receive(wanted, options);
      return this.#work(options);
    });
  }

  async goOn(options: AskOptions = {}): Promise<RunAnswer | undefined> {
    return this.#alone(async () => {
      const { request, answer } = this.state;
      return request === undefined || answer !== undefined ? undefined : this.#work(options);
    });
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
    const { recorder, id, ports, settings, library } = this.#scope;
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
    const patience = new Patience(ports.clock, { cancelled: signal, time: settings.limits.wallTime });
    library.patience = patience;
    try {
      if (settings.autoReload && settings.enableSkills) await readIndexAnew(this.#scope);
      const called = skill === undefined ? {} : await this.#call(skill);
      await recorder.append(id, { type: 'request_received', request: { text, ...called } });
    } finally {
      patience.release();
    }
  }

  /** Reads the skill that a person names. Of one name there may be several: the record says which it was. */
  async #call(skill: string | SkillReference): Promise<Pick<RecordedRequest, 'skill' | 'source'>> {
    const named = await findSkill(this.#scope, skill);
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

/** Reads the registry again; where it offers something else now, the record says so. What cannot be read stays as it was. */
async function readIndexAnew({ id, ports, recorder, library }: RunScope): Promise<void> {
  const { registry, sha256 } = ports;
  const index = await library.patience
    .waitFor({ who: 'The registry' }, async (signal) => checkListing(await registry.reload({ signal }), registry.kind))
    .catch(keepWhatWas);
  if (index === undefined) return;
  const snapshot = await takeSnapshot(index, { recorder, sha256 });
  if (snapshot.index.hash === library.snapshot.index.hash) return;
  await library.change(snapshot);
  await recordIndexChange({ id, recorder, library });
}

function keepWhatWas(error: unknown): undefined {
  if (!SkillsError.is(error) || SkillsError.is(error, 'INTERRUPTED')) throw error;
  return undefined;
}

/** Says that the snapshot of the library holds from now on. */
export async function recordIndexChange({
  id,
  recorder,
  library,
}: Pick<RunScope, 'id' | 'recorder' | 'library'>): Promise<void> {
  const { index, kept } = library.snapshot;
  const changed = { hash: index.hash, skills: index.skills.length, kept };
  await recorder.append(id, { type: 'index_changed', index: changed });
}

/** @throws `SKILL_NOT_FOUND`, and what reading it throws. */
export async function findSkill(scope: RunScope, reference: string | SkillReference): Promise<ReadSkill> {
  const entry = await scope.library.view.get(reference);
  if (entry !== undefined) return readSkillText(scope, entry);
  const name = nameOf(reference);
  if (scope.library.view.isDisabled(name)) {
    throw new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} is switched off in this run.`, {
      hint: 'Ask for it to be switched on again.',
    });
  }
  const { skills } = await scope.library.view.index();
  const names = skills.slice(0, 20).map((other) => quoted(other.name));
  throw new SkillsError('SKILL_NOT_FOUND', `There is no skill ${quoted(name)}.`, {
    hint: names.length === 0 ? 'There are no skills.' : `There is ${names.join(', ')}.`,
  });
}

function nameOf(reference: string | SkillReference): string {
  return typeof reference === 'string' ? reference : reference.name;
}
