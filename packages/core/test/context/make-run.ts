import { foldEvents } from '../../src/agent/fold-events.js';
import type { Activation } from '../../src/agent/activation.js';
import { defaultLimits } from '../../src/agent/fill-limits.js';
import { estimateTokens } from '../../src/agent/context/estimate-tokens.js';
import { renderSkillBody } from '../../src/agent/context/render-skill-body.js';
import type { RunEvent, RunEventBody, RecordedRequest } from '../../src/agent/run-event.js';
import type { RunState } from '../../src/agent/run-state.js';
import type { AgentAction } from '../../src/model/action.js';
import type { Plan } from '../../src/model/plan.js';
import type { SkillEntry } from '../../src/registry/skill-entry.js';
import type { SkillText } from '../../src/registry/skill-registry.js';
import { sha256 } from '../sha256.js';
import { makeEntry, makeText } from './make-entry.js';

const kept = { digest: sha256('kept'), size: 4 };

/** A run, event by event, as the loop records it. */
export class MadeRun {
  readonly skills: readonly SkillEntry[];
  readonly bodies = new Map<string, SkillText>();
  readonly #texts: ReadonlyMap<string, SkillText>;
  readonly #events: RunEvent[] = [];
  #turn = 0;
  #actions = 0;

  /** @param texts the bodies of its skills, by name. */
  constructor(texts: Readonly<Record<string, string>>, options: { readonly contextTokens?: number } = {}) {
    this.skills = Object.keys(texts).map((name) => makeEntry({ name, description: `What ${name} is for.` }));
    this.#texts = new Map(this.skills.map(({ name, location }) => [location, makeText(texts[name] ?? '')]));
    this.#add({
      type: 'run_started',
      formatVersion: 1,
      model: 'test:model',
      contextTokens: options.contextTokens ?? 200_000,
      index: { hash: sha256('index'), skills: this.skills.length, kept },
      tools: [],
      limits: defaultLimits,
      system: kept,
      options: {},
    });
  }

  get state(): RunState {
    return foldEvents(this.#events);
  }

  /** What `composeRequest` is given. */
  get parts(): {
    readonly state: RunState;
    readonly index: { readonly skills: readonly SkillEntry[] };
    readonly bodies: ReadonlyMap<string, SkillText>;
    readonly tools: readonly [];
  } {
    return { state: this.state, index: { skills: this.skills }, bodies: this.bodies, tools: [] };
  }

  ask(request: string | RecordedRequest): this {
    const asked = typeof request === 'string' ? { text: request } : request;
    if (asked.skill !== undefined) this.#activate(asked.skill, 'user');
    return this.#add({ type: 'request_received', request: asked });
  }

  preload(name: string): this {
    this.#activate(name, 'preload');
    return this;
  }

  select(name: string): this {
    const id = this.#act({ kind: 'select_skills', skills: [{ name }], reason: 'It fits.' });
    const { content, location } = this.#activate(name, 'model');
    return this.#observe(id, content, { bodies: [location] });
  }

  load(name: string, path: string, options: { readonly content: string; readonly section?: string }): this {
    const { content, section } = options;
    const action = { kind: 'load_resource', skill: { name }, relative_path: path } as const;
    const id = this.#act(section === undefined ? action : { ...action, section_hint: section });
    return this.#observe(id, content, { location: this.#entry(name).location, path });
  }

  use(tool: string, content: string): this {
    return this.#observe(this.#act({ kind: 'call_tool', tool, input: { z: 1, a: 2 } }), content, {});
  }

  reject(message: string): this {
    this.#add({ type: 'turn_started', turn: (this.#turn += 1) });
    return this.#add({ type: 'decision_rejected', error: { code: 'INVALID_ACTION', message } });
  }

  plan(plan: Plan): this {
    return this.#add({ type: 'plan_updated', plan, how: 'replace' });
  }

  answer(text: string): this {
    return this.#add({ type: 'request_answered', stop: 'final_answer', degraded: false, answer: text });
  }

  compact(through: number): this {
    return this.#add({ type: 'context_compacted', through, before: 0, after: 0 });
  }

  #entry(name: string): SkillEntry {
    const entry = this.skills.find((one) => one.name === name);
    if (entry === undefined) throw new Error(`No skill ${name}`);
    return entry;
  }

  #activate(name: string, by: Activation['by']): { readonly content: string; readonly location: string } {
    const entry = this.#entry(name);
    const { scope, location, pack } = entry;
    const text = this.#texts.get(location);
    if (text === undefined) throw new Error(`No text of ${name}`);
    const rendered = renderSkillBody({ entry, text }, { countTokens: estimateTokens });
    const known = { name, scope, location, pack, digest: text.digest, by, reason: 'It fits.', turn: this.#turn };
    this.#add({
      type: 'skill_activated',
      activation: { ...known, tools: [`${name}_tool`], unknownTools: [], lines: rendered.lines, runMode: 'inline' },
    });
    this.bodies.set(location, text);
    return { content: rendered.text, location };
  }

  #act(action: AgentAction): string {
    this.#add({ type: 'turn_started', turn: (this.#turn += 1) });
    const id = `a${(this.#actions += 1)}`;
    this.#add({ type: 'action_started', id, action });
    return id;
  }

  #observe(id: string, content: string, output: Readonly<Record<string, string | readonly string[]>>): this {
    const observed = { id, ok: true, content, contentForUser: undefined, output, error: undefined, duration: 1 };
    const outputs = [{ name: 'stdout', ...kept }];
    return this.#add({ type: 'observation_recorded', ...observed, kept: outputs });
  }

  #add(body: RunEventBody): this {
    const seq = this.#events.length + 1;
    const place = {
      seq,
      run: 'r',
      at: new Date(seq * 1000).toISOString(),
      prev: sha256(''),
      hash: sha256(String(seq)),
    };
    this.#events.push({ ...body, ...place });
    return this;
  }
}
