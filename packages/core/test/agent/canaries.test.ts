import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/agent/run-event.js';
import { startRun } from '../../src/agent/start-run.js';
import type { AgentAction } from '../../src/model/action.js';
import type { ModelMessage, ModelRequest } from '../../src/model/model-adapter.js';
import { agentWorld, answer, echoTool, named, select, type AgentWorld } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const names = ['alpha', 'alpha-two', 'beta', 'été'] as const;
type Name = (typeof names)[number];

/** A skill: how it runs, and how many characters stand in each section of its text and of its files. */
interface Planted {
  readonly subagent: boolean;
  readonly body: readonly number[];
  readonly files: readonly (readonly number[])[];
}

/** What gives a text away, wherever it is seen. */
const canary = {
  front: (of: Name) => `FRONT-OF-${of}.`,
  body: (of: Name, part: number) => `BODY-OF-${of}-${part}.`,
  file: (of: Name, file: number, part: number) => `TEXT-OF-${of}-${file}-${part}.`,
  path: (of: Name, file: number) => `deep/PATH-OF-${of}-${file}.md`,
  source: (of: Name) => `SOURCE-OF-${of}.`,
  tool: (of: Name) => `TOOL-OF-${of}.`,
};

function section(at: number, mark: string, length: number): string {
  return `## Part ${at}\n\n${mark} ${'It goes on and on.\n'.repeat(length / 20)}`;
}

function filesOf(skills: ReadonlyMap<Name, Planted>): Readonly<Record<string, string>> {
  const rows: [string, string][] = [];
  for (const [name, { subagent, body, files }] of skills) {
    const front = [
      `name: ${name}`,
      `description: What ${name} is for.`,
      `license: ${canary.front(name)}`,
      `allowed-tools: use-${name}`,
      ...(subagent ? ['run-mode: subagent'] : []),
      `metadata:\n  note: ${canary.front(name)}`,
    ];
    const text = body.map((length, at) => section(at, canary.body(name, at), length));
    rows.push([`${name}/SKILL.md`, `---\n${front.join('\n')}\n---\n${text.join('\n')}`]);
    rows.push([`${name}/run.mjs`, `// ${canary.source(name)}\n`]);
    for (const [file, lengths] of files.entries()) {
      const parts = lengths.map((length, at) => section(at, canary.file(name, file, at), length));
      rows.push([`${name}/${canary.path(name, file)}`, parts.join('\n')]);
    }
  }
  return Object.fromEntries(rows);
}

const lengths = fc.array(fc.constantFrom(0, 0, 200, 4_000, 10_000), { minLength: 1, maxLength: 3 });
const planted = fc.record({
  subagent: fc.constantFrom(false, false, true),
  body: lengths,
  files: fc.array(lengths, { maxLength: 2 }),
});
const planting = fc
  .tuple(...names.map(() => fc.option(planted, { nil: undefined, freq: 4 })))
  .map((all) => new Map(names.flatMap((name, at) => (all[at] === undefined ? [] : [[name, all[at]] as const]))));

const name = fc.constantFrom(...names);
const heading = fc.constantFrom(undefined, 'Part 0', 'Part 1', 'Part 2', 'No such part');
const action = fc.oneof(
  { weight: 4, arbitrary: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }).map((some) => select(...some)) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('load_resource' as const),
      skill: name.map((of) => ({ name: of })),
      relative_path: fc.oneof(
        fc.constantFrom('SKILL.md', 'run.mjs', 'none.md'),
        fc.tuple(name, fc.nat(1)).map(([of, file]) => canary.path(of, file)),
      ),
      section_hint: heading,
    }),
  },
  name.map((of): AgentAction => ({ kind: 'run_script', skill: { name: of }, relative_path: 'run.mjs', args: [] })),
  name.map((of): AgentAction => ({ kind: 'call_tool', tool: `use-${of}`, input: {} })),
  name.map((of): AgentAction => ({ kind: 'search_skills', query: of })),
  fc
    .tuple(fc.constantFrom('disable_skill' as const, 'enable_skill' as const), name)
    .map(([kind, of]): AgentAction => ({ kind, skill: { name: of } })),
  fc.constantFrom('no decision', answer('Done.')),
);

// One for each request and each child run that is left without.
const answers = Array.from({ length: 20 }, () => answer('Done.'));

/** What the model said, and in which run. */
interface Turn {
  readonly run: string;
  readonly request: ModelRequest;
  readonly reply: AgentAction | string | undefined;
  /** Of the event that says that it was asked. */
  readonly seq: number;
}

function turnsOf(world: AgentWorld, replies: readonly (AgentAction | string)[]): readonly Turn[] {
  const asked = world.of('model_requested');
  return world.model.requests.map((request, at) => ({
    run: asked[at]?.run ?? '',
    seq: asked[at]?.seq ?? 0,
    request,
    reply: replies[at],
  }));
}

/** Everything that may be in the requests of a run, as far as that follows from what was said in it before. */
class Earned {
  readonly #marks = new Set<string>();

  whole(of: Name, { body, files }: Planted): void {
    for (const at of body.keys()) this.#marks.add(canary.body(of, at));
    for (const file of files.keys()) this.#marks.add(canary.path(of, file));
    this.#marks.add(canary.tool(of));
  }

  said(reply: Turn['reply'], skills: ReadonlyMap<Name, Planted>): void {
    if (typeof reply !== 'object') return;
    if (reply.kind === 'select_skills') {
      for (const { name: of } of reply.skills) {
        const skill = skills.get(of as Name);
        if (skill?.subagent === false) this.whole(of as Name, skill);
        // Its files may be asked for by the run that let another one work with it: a wrong name is answered with right ones.
        for (const file of skill?.files.keys() ?? []) this.#marks.add(canary.path(of as Name, file));
      }
    }
    if (reply.kind !== 'load_resource') return;
    const [of, path] = [reply.skill.name as Name, reply.relative_path];
    // What it said itself, it may hear again.
    this.#marks.add(path);
    const { body = [], files = [] } = skills.get(of) ?? {};
    const wanted = (at: number): boolean => [undefined, `Part ${at}`].includes(reply.section_hint);
    if (path === 'SKILL.md') {
      for (const at of body.keys()) if (wanted(at)) this.#marks.add(canary.body(of, at));
      if (reply.section_hint === undefined) this.#marks.add(canary.front(of));
    }
    if (path === 'run.mjs') this.#marks.add(canary.source(of));
    for (const [file, parts] of files.entries()) {
      if (path !== canary.path(of, file)) continue;
      for (const at of parts.keys()) if (wanted(at)) this.#marks.add(canary.file(of, file, at));
    }
  }

  /** Names of files that a child run named are in the account of its work. */
  heard(reply: Turn['reply']): void {
    if (typeof reply === 'object' && reply.kind === 'load_resource') this.#marks.add(reply.relative_path);
  }

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }
}

const marks = /(?:FRONT|BODY|TEXT|SOURCE|TOOL)-OF-[\p{L}\d-]+\.|deep\/PATH-OF-[\p{L}\d-]+\.md/gu;

/** What stays as it is between two requests of which nothing was switched: all but the list of tools, where there are others. */
function stayingIn({ system, tools, actions }: ModelRequest, other: ModelRequest): readonly unknown[] {
  const same = JSON.stringify(tools) === JSON.stringify(other.tools);
  return [same ? system : system.replace(/## Tools\n.*<\/offered_tools>\n\n/su, ''), actions];
}

/** The messages without the state at the end of the newest one. */
function settled({ messages }: ModelRequest): readonly ModelMessage[] {
  return messages.map((message) => ({
    ...message,
    content: message.content.replace(/(?:\n\n)?<run_state>[\s\S]*<\/run_state>$/u, ''),
  }));
}

function between(events: readonly RunEvent[], before: Turn, after: Turn): readonly RunEvent[] {
  return events.filter(({ run, seq }) => run === after.run && seq > before.seq && seq < after.seq);
}

/** The tools that follow from the ledger of a run as it was when the model was asked. */
function toolsBy(events: readonly RunEvent[], { run, seq }: Turn): readonly string[] {
  const ledger = new Map<string, string | undefined>();
  const off = new Set<string>();
  for (const event of events.filter((one) => one.run === run && one.seq < seq)) {
    if (event.type === 'skill_activated') {
      const { name: of, runMode } = event.activation;
      ledger.set(of, runMode === 'inline' ? `use-${of}` : undefined);
    }
    if (event.type === 'skill_disabled') off.add(event.name);
    if (event.type === 'skill_enabled') off.delete(event.name);
  }
  return [...ledger].flatMap(([of, tool]) => (tool === undefined || off.has(of) ? [] : [tool]));
}

test('SAA-20, SAA-21, SAA-23: nothing of any skill is in any request before it was asked for, and the prompt stays as it is', async () => {
  let compacted = 0;
  let children = 0;
  await fc.assert(
    fc.asyncProperty(
      planting,
      fc.array(action, { maxLength: 14 }),
      fc.constantFrom(3_000, 12_000, 100_000),
      fc.record({ preload: fc.uniqueArray(name, { maxLength: 1 }), called: fc.option(name, { nil: undefined }) }),
      async (skills, replies, contextTokens, { preload, called }) => {
        const there = (of: Name | undefined): of is Name => of !== undefined && skills.has(of);
        const world = agentWorld([...replies, ...answers], {
          files: filesOf(skills),
          contextTokens,
          skillTools: names.map((of) => ({ ...echoTool(`use-${of}`), description: canary.tool(of) })),
          runner: echoRunner(),
          approver: yes('run'),
        });
        const limits = { turns: 60, consecutiveFailures: 30 };
        const run = await startRun(world.ports, named({ preload: preload.filter(there), limits }));
        const skill = there(called) ? called : undefined;
        // The second request finds the skills of the first one.
        for (const text of ['Do it.', 'And more.']) {
          const off = run.state.disabled.some((one) => one.name === skill);
          await run.ask(skill === undefined || off ? { text } : { text, skill });
        }

        const earned = new Map<string, Earned>();
        const of = (id: string): Earned => {
          const known = earned.get(id) ?? new Earned();
          earned.set(id, known);
          return known;
        };
        for (const first of [...preload, skill]) if (there(first)) of('run').whole(first, skills.get(first)!);
        for (const { run: id, child, skill: own } of world.of('subagent_started')) {
          expect(id).toBe('run');
          of(child).whole(own as Name, skills.get(own as Name)!);
          children += 1;
        }
        const turns = turnsOf(world, replies);
        for (const [at, turn] of turns.entries()) {
          const text = JSON.stringify(turn.request);
          for (const [mark] of text.matchAll(marks)) {
            if (!of(turn.run).has(mark)) expect.fail(`${mark} in the request ${at} of ${turn.run}`);
          }
          expect(turn.request.tools.map((tool) => tool.name)).toEqual(toolsBy(world.events, turn));
          of(turn.run).said(turn.reply, skills);
          if (turn.run !== 'run') of('run').heard(turn.reply);

          const before = turns.slice(0, at).findLast(({ run: id }) => id === turn.run);
          if (before === undefined) continue;
          const types = new Set(between(world.events, before, turn).map(({ type }) => type));
          // What a provider keeps of a prompt lasts: the system text while nothing is switched, the messages until they are shortened.
          if (
            !['skill_disabled', 'skill_enabled', 'request_received'].some((type) => types.has(type as RunEvent['type']))
          )
            expect(stayingIn(turn.request, before.request)).toEqual(stayingIn(before.request, turn.request));
          if (types.has('context_compacted')) {
            compacted += 1;
            continue;
          }
          // Of what was shortened, the rest of a skill goes when its text is in view again.
          const shortened = world.events.some(
            ({ run: id, seq, type }) => id === turn.run && seq < turn.seq && type === 'context_compacted',
          );
          const [old, now] = [before, turn].map(({ request }) => settled(request).slice(shortened ? 1 : 0));
          expect(now?.slice(0, old?.length)).toEqual(old);
        }
      },
    ),
    { numRuns: 40 },
  );
  // Both were there to be looked at.
  expect(Math.min(compacted, children)).toBeGreaterThan(0);
}, 120_000);
