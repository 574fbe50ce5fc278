import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentPorts } from '../../src/agent/agent-run.js';
import { continueRun } from '../../src/agent/continue-run.js';
import { foldEvents } from '../../src/agent/fold-events.js';
import { redactNothing } from '../../src/agent/record/redaction.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile, type AgentWorld } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', 'Run it.', { 'allowed-tools': 'write' }),
  'pdf/notes.md': '# Notes\n',
  'pdf/run.mjs': '',
  'alone/SKILL.md': skillFile('alone', 'Alone.', { 'run-mode': 'subagent' }),
};
const call = (tool: string): AgentAction => ({ kind: 'call_tool', tool, input: {} });
const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'run.mjs', args: [] };
const load: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' };

async function never(): Promise<never> {
  return new Promise(() => {});
}

async function replay({ events, journal }: AgentWorld) {
  const kept = async (digest: Digest) => journal.kept.get(digest);
  return replayRun({ events, kept }, { sha256 });
}

/** Time goes by until whoever is waited for should have stopped, and on until nobody waits any more. */
function pass({ clock }: AgentWorld, milliseconds: number): void {
  clock.advance(milliseconds);
  clock.advance(3_000);
}

type Hanging = 'model' | 'tool' | 'approver' | 'runner' | 'registry' | 'child';

const hangingReplies: Readonly<Record<Hanging, readonly AgentAction[]>> = {
  model: [],
  tool: [call('read')],
  approver: [call('save')],
  runner: [select('pdf'), script],
  registry: [select('pdf'), load],
  child: [select('alone')],
};

/** A world in which one port is asked and never answers; `then` happens once it was asked. */
function hangingWorld(hanging: Hanging, then: (world: AgentWorld) => void): { world: AgentWorld; ports: AgentPorts } {
  const world: AgentWorld = agentWorld(hangingReplies[hanging], {
    files,
    tools: [echoTool('read'), echoTool('save', { risk: 'medium' })],
    runner: echoRunner(),
    approver: yes('once'),
  });
  const hang = async (): Promise<never> => {
    then(world);
    return never();
  };
  const { model, registry, tools = [] } = world.ports;
  const ports: AgentPorts = {
    ...world.ports,
    model: {
      ...model,
      decide: async (request, options) =>
        world.model.requests.length < hangingReplies[hanging].length ? model.decide(request, options) : hang(),
    },
    registry: {
      ...registry,
      bytes: async (skill, path, options) =>
        hanging === 'registry' && path === 'notes.md' ? hang() : registry.bytes(skill, path, options),
    },
    tools: hanging === 'tool' ? tools.map((tool) => ({ ...tool, run: hang })) : tools,
    ...(hanging === 'approver' ? { approver: { decide: hang } } : {}),
    ...(hanging === 'runner' ? { runner: { run: hang } } : {}),
  };
  return { world, ports };
}

test.for<Hanging>(['model', 'tool', 'runner', 'registry'])(
  'PSA-08, AGIO-21: one (%s) that never answers holds a request no longer than its time, and no longer than a cancel',
  async (hanging) => {
    const late = hangingWorld(hanging, (world) => pass(world, 1_000));
    const timely = await runAgent('Do it.', late.ports, named({ limits: { wallTime: 1_000 } }));
    expect(timely).toMatchObject({ stop: 'max_wall_time', degraded: true });
    expect(timely.text).toContain('Its limit of time, 1000 ms, is reached.');
    expect(await replay(late.world)).toMatchObject({ same: true });

    const controller = new AbortController();
    const cut = hangingWorld(hanging, (world) => {
      controller.abort();
      pass(world, 0);
    });
    const run = await startRun(cut.ports, named());
    expect(await run.ask('Do it.', { signal: controller.signal })).toMatchObject({ stop: 'cancelled', degraded: true });
    expect(await replay(cut.world)).toMatchObject({ same: true });
    // Nothing goes on counting for a request that is over.
    expect([late.world.clock.timers, cut.world.clock.timers]).toEqual([0, 0]);
  },
);

test('PSA-08: the time that a person takes for a yes is not the run’s; what follows has what is left of it', async () => {
  const save = echoTool('save', {
    risk: 'medium',
    run: () => {
      world.clock.advance(700);
      return {};
    },
  });
  const world: AgentWorld = agentWorld([call('save'), call('save'), answer('Never.')], {
    tools: [save],
    approver: {
      decide: async () => {
        world.clock.advance(600_000);
        return { kind: 'approved', scope: 'once', by: 'test' };
      },
    },
  });
  const { stop, state } = await runAgent('Do it.', world.ports, named({ limits: { wallTime: 1_000 } }));
  expect({ stop, calls: save.calls.length, time: state.spent.wallTime }).toEqual({
    stop: 'max_wall_time',
    calls: 2,
    time: 1_400,
  });
  expect(world.clock.timers).toBe(0);
  expect(await replay(world)).toMatchObject({ same: true });
});

test('PSA-08: a run waits as long for a yes that is asked of a run within it', async () => {
  const save = echoTool('save', { risk: 'medium' });
  const world: AgentWorld = agentWorld([select('alone'), call('save'), answer('Saved.'), answer('Done.')], {
    files,
    tools: [save],
    approver: {
      decide: async () => {
        world.clock.advance(600_000);
        return { kind: 'approved', scope: 'once', by: 'test' };
      },
    },
  });
  const { stop, state } = await runAgent('Do it.', world.ports, named({ limits: { wallTime: 1_000 } }));
  expect({ stop, calls: save.calls.length, time: state.spent.wallTime }).toEqual({
    stop: 'final_answer',
    calls: 1,
    time: 0,
  });
  expect(await replay(world)).toMatchObject({ same: true });
});

test('PSA-08, AGIO-21: a person who never answers is waited for until the request is cancelled', async () => {
  const controller = new AbortController();
  const { world, ports } = hangingWorld('approver', (one) => {
    one.clock.advance(600_000);
    controller.abort();
    pass(one, 0);
  });
  const run = await startRun(ports, named({ limits: { wallTime: 1_000 } }));
  expect(await run.ask('Do it.', { signal: controller.signal })).toMatchObject({ stop: 'cancelled', degraded: true });
  expect(run.state.spent.wallTime).toBe(0);
  expect(world.clock.timers).toBe(0);
  expect(await replay(world)).toMatchObject({ same: true });
});

test('what was left behind and may have changed something is uncertain, and the answer says so', async () => {
  const { world, ports } = hangingWorld('runner', (one) => pass(one, 1_000));
  const { text } = await runAgent('Do it.', ports, named({ limits: { wallTime: 1_000 } }));
  expect(world.of('observation_recorded').at(-1)).toMatchObject({
    ok: false,
    output: { uncertain: true },
    error: { code: 'TIMEOUT' },
  });
  expect(text).toContain('“run.mjs” did not stop when the time was up, and was left behind. Whether it took effect is');

  const reading = hangingWorld('tool', (one) => pass(one, 1_000));
  await runAgent('Do it.', reading.ports, named({ limits: { wallTime: 1_000 } }));
  expect(reading.world.of('observation_recorded').at(-1)).toMatchObject({ output: {}, error: { code: 'TIMEOUT' } });
});

test('whoever stops within three seconds is heard', async () => {
  const world: AgentWorld = agentWorld([call('slow')], {
    tools: [
      {
        ...echoTool('slow'),
        run: async (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              world.clock.advance(2_999);
              resolve({ ok: true, content: 'Half of it.', output: {}, started: 0, ended: 0, duration: 0 });
            });
            world.clock.advance(1_000);
          }),
      },
    ],
  });
  const { stop } = await runAgent('Do it.', world.ports, named({ limits: { wallTime: 1_000 } }));
  expect(stop).toBe('max_wall_time');
  expect(world.of('observation_recorded')).toMatchObject([{ ok: true, content: 'Half of it.' }]);
  expect(await replay(world)).toMatchObject({ same: true });
});

test('nothing is begun once the time is up, and an answer that came with the last of it counts', async () => {
  const tool = echoTool('read');
  const world: AgentWorld = agentWorld(
    [
      () => {
        world.clock.advance(1_000);
        return call('read');
      },
      () => {
        world.clock.advance(1_000);
        return answer('Just in time.');
      },
    ],
    { tools: [tool] },
  );
  const run = await startRun(world.ports, named({ limits: { wallTime: 1_000 } }));
  const { stop, text } = await run.ask('Do it.');
  expect({ stop, calls: tool.calls }).toEqual({ stop: 'max_wall_time', calls: [] });
  expect(text).toContain('Next would have been: call_tool read.');
  // Each request has its own time.
  expect(await run.ask('Again.')).toMatchObject({ stop: 'final_answer', text: 'Just in time.' });
  expect(await replay(world)).toMatchObject({ same: true });
});

test('a child run that hangs ends at its part of the time, and its parent goes on with the rest', async () => {
  const world: AgentWorld = agentWorld(
    [
      select('alone'),
      async () => {
        pass(world, 5_000);
        return never();
      },
      answer('Without it.'),
    ],
    { files },
  );
  const { stop, text } = await runAgent('Do it.', world.ports, named({ limits: { wallTime: 10_000 } }));
  expect({ stop, text }).toEqual({ stop: 'final_answer', text: 'Without it.' });
  expect(world.of('subagent_finished')).toMatchObject([{ stop: 'max_wall_time' }]);
  const told = world.of('observation_recorded').find(({ run }) => run === 'run');
  expect(told?.content).toContain('Its limit of time, 5000 ms, is reached.');
  expect(await replay(world)).toMatchObject({ same: true });
});

test('a registry that never answers keeps no run from failing to start, and no request waiting', async () => {
  const world = agentWorld([answer('Done.')], { files });
  const hanging = {
    ...world.ports.registry,
    index: async () => {
      pass(world, 1_000);
      return never();
    },
  };
  const options = named({ limits: { wallTime: 1_000 }, autoReload: true });
  await expect(startRun({ ...world.ports, registry: hanging }, options)).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'TIMEOUT'),
  );
  const deaf = {
    ...world.ports.registry,
    reload: async () => {
      pass(world, 1_000);
      return never();
    },
  };
  const run = await startRun({ ...world.ports, registry: deaf }, options);
  // What cannot be read anew stays as it was.
  expect(await run.ask('Do it.')).toMatchObject({ stop: 'final_answer' });
  await expect(run.ask({ text: 'Do it.', skill: 'pdf' })).rejects.toSatisfy((error) =>
    SkillsError.is(error, 'TIMEOUT'),
  );
  expect(await replay(world)).toMatchObject({ same: true });
});

test.each([
  [6_000, 5_999, true],
  [6_000, 6_000, false],
  [undefined, 2_999, true],
  [undefined, 3_000, false],
  [10, 2_999, true],
  [Number.NaN, 2_999, true],
])(
  'a script whose runner needs %s ms to stop it is waited for until %s ms later: %s',
  async (timeToStop, after, heard) => {
    const world: AgentWorld = agentWorld([select('pdf'), script], { files, approver: yes('once') });
    const runner = echoRunner({ exitCode: 143 });
    const slow: AgentPorts['runner'] = {
      timeToStop,
      run: async (...given) => {
        world.clock.advance(1_000);
        world.clock.advance(after);
        return runner.run(...given);
      },
    };
    const ports = { ...world.ports, runner: slow };
    const { stop } = await runAgent('Do it.', ports, named({ limits: { wallTime: 1_000 } }));
    expect(stop).toBe('max_wall_time');
    const [, observed] = world.of('observation_recorded');
    expect(observed?.output['exit_code']).toBe(heard ? 143 : undefined);
    expect(observed?.output['uncertain']).toBe(heard ? undefined : true);
    expect(await replay(world)).toMatchObject({ same: true });
  },
);

test('a model that was left behind is not listened to any more', async () => {
  let speak: ((delta: string) => void) | undefined;
  const world: AgentWorld = agentWorld([]);
  const model: AgentPorts['model'] = {
    ...world.ports.model,
    decide: async (_, { onText }) => {
      speak = onText;
      onText?.('Well');
      pass(world, 1_000);
      return never();
    },
  };
  const heard: string[] = [];
  const run = await startRun({ ...world.ports, model }, named({ limits: { wallTime: 1_000 }, redact: redactNothing }));
  await run.ask('Do it.', { onText: (delta) => heard.push(delta) });
  speak?.('too late');
  expect(heard).toEqual(['Well']);
});

test('with a clock that has no timers, a request lasts as long as those whom it waits for', async () => {
  const world: AgentWorld = agentWorld([call('read'), answer('Late.')], {
    tools: [
      echoTool('read', {
        run: () => {
          world.clock.advance(5_000);
          return {};
        },
      }),
    ],
    clock: { now: () => world.clock.now() },
  });
  const { stop } = await runAgent('Do it.', world.ports, named({ limits: { wallTime: 1_000 } }));
  expect(stop).toBe('max_wall_time');
  expect(world.of('observation_recorded')).toMatchObject([{ ok: true, content: 'read was called' }]);
});

const action = fc.constantFrom(
  select('pdf'),
  select('alone'),
  select('pdf', 'alone'),
  script,
  load,
  call('read'),
  call('save'),
  call('write'),
  answer('Done.'),
);
/** What a port does, one call after another: it answers, takes its time, hangs, or hangs and then fails or answers. */
const conduct = fc.constantFrom('answer', 'answer', 'answer', 'slow', 'hang', 'cancel', 'fail late', 'answer late');

test('PSA-08, AGIO-21: whichever ports hang, and when, a request ends, its record is whole, and what comes later changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 6 }),
      fc.array(conduct, { minLength: 1, maxLength: 9 }),
      async (replies, conducts) => {
        const world = agentWorld(replies, { files });
        const controller = new AbortController();
        const late: (() => void)[] = [];
        let calls = 0;
        const port =
          <Given extends readonly unknown[], Value>(ask: (...given: Given) => Promise<Value>, person = false) =>
          async (...given: Given): Promise<Value> => {
            calls += 1;
            const how = conducts[calls % conducts.length];
            if (how === 'slow') world.clock.advance(300);
            if (how === 'slow' || how === 'answer') return ask(...given);
            const answered = ask(...given);
            answered.catch(() => {});
            // A person has all the time there is: only a cancel ends the waiting for them.
            if (how === 'cancel' || person) controller.abort();
            // On the way, timers of a child run may be up before those of its parent.
            for (let passed = 0; passed < 20; passed += 1) world.clock.advance(500);
            return new Promise((resolve, reject) => {
              if (how === 'fail late') late.push(() => reject(new Error('late')));
              if (how === 'answer late') late.push(() => resolve(answered));
            });
          };
        const { model, registry } = world.ports;
        const [runner, { decide }] = [echoRunner(), yes('once')];
        const tools = [echoTool('read'), echoTool('save', { risk: 'medium' })];
        const ports: AgentPorts = {
          ...world.ports,
          model: { ...model, decide: port(model.decide) },
          registry: { ...registry, bytes: port(registry.bytes), files: port(registry.files) },
          tools: tools.map((tool) => ({ ...tool, run: port(tool.run) })),
          skillTools: [echoTool('write')],
          runner: { run: port(runner.run) },
          approver: { decide: port(decide, true) },
        };
        const options = named({ limits: { wallTime: 2_000, consecutiveFailures: 9 } });
        const run = await startRun(ports, options);
        const { stop } = await run.ask('Do it.', { signal: controller.signal });
        expect([
          'final_answer',
          'max_wall_time',
          'cancelled',
          'model_failed',
          'max_turns',
          'max_consecutive_failures',
          'approval_required',
        ]).toContain(stop);
        const { state } = run;
        expect(state.audit.every(({ ok }) => ok !== undefined)).toBe(true);
        for (const finish of late) finish();
        await new Promise((resolve) => setImmediate(resolve));
        expect(run.state).toBe(state);
        expect(foldEvents(world.events)).toEqual(state);
        expect(world.clock.timers).toBe(0);
        expect(await replay(world)).toMatchObject({ same: true });
        const again = await continueRun(world.events, world.ports, options);
        if (state.answer?.degraded === false) expect(await again.goOn()).toBeUndefined();
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);
