import { expect, test } from 'vitest';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { startRun } from '../../src/agent/start-run.js';
import { treeDigestOf } from '../../src/digest/tree-digest.js';
import { SkillsError } from '../../src/errors/skills-error.js';
import type { AgentAction } from '../../src/model/action.js';
import type { ApprovalScope } from '../../src/policy/approver.js';
import type { SkillMeasure } from '../../src/registry/skill-measure.js';
import { resealed } from '../records/resealed.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, asking, echoTool, named, select, skillFile, type AgentWorld } from './agent-world.js';
import { echoRunner, yes } from './scripts-world.js';

const script: AgentAction = { kind: 'run_script', skill: { name: 'pdf' }, relative_path: 'go.mjs', args: [] };
const write: AgentAction = { kind: 'call_tool', tool: 'Put', input: {} };

function skill(): Record<string, string> {
  return {
    'pdf/SKILL.md': skillFile('pdf', 'PDF-BODY', { 'allowed-tools': 'Put' }),
    'pdf/go.mjs': 'one',
    'pdf/old.md': 'old',
  };
}

const recordOf = ({ events, journal }: AgentWorld) => ({
  events,
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});

async function replays(world: AgentWorld): Promise<void> {
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
}

/** What all files of the skill are, as a runner would find them. */
function digestOf(files: Readonly<Record<string, string>>) {
  const rows = Object.entries(files).map(([path, text]) => ({
    path: path.slice('pdf/'.length),
    size: Buffer.byteLength(text),
    digest: sha256(text),
    executable: false,
  }));
  return treeDigestOf(rows, sha256);
}

test.each<[ApprovalScope, number]>([
  ['once', 3],
  ['run', 2],
  ['session', 2],
])(
  'PSA-14: a yes that holds %s is for one content of the skill: an edited one asks again, and shows what changed',
  async (scope, asked) => {
    const files = skill();
    const runner = echoRunner();
    const whoever = yes(scope);
    const edit = () => {
      files['pdf/go.mjs'] = 'two';
      files['pdf/new\u202E.md'] = 'new';
      delete files['pdf/old.md'];
      return script;
    };
    const world = agentWorld([select('pdf'), script, script, edit, answer('Done.')], {
      files,
      runner,
      approver: whoever,
    });
    const before = digestOf(files);
    const { state } = await runAgent('Do it.', world.ports, named());
    const after = digestOf(files);
    expect(whoever.asked).toHaveLength(asked);
    expect(
      whoever.asked.slice(0, -1).every((request) => request.digest === before && request.changes === undefined),
    ).toBe(true);
    expect(whoever.asked.at(-1)).toMatchObject({
      digest: after,
      changes: { added: ['new<U+202E>.md'], removed: ['old.md'], changed: ['go.mjs'] },
    });
    // What runs it can compare what it finds.
    expect(runner.ran.map(({ digest }) => digest)).toEqual([before, before, after]);
    expect(state.grants.map(({ digest }) => digest)).toEqual(scope === 'once' ? [] : [before, after]);
    expect(world.of('tool_judged').map(({ by }) => by)).toEqual(scope === 'once' ? [] : ['grant']);
    await replays(world);
  },
);

test('PSA-14: what comes back to a content that was approved needs no other yes', async () => {
  const files = skill();
  const whoever = yes('run');
  const become = (text: string) => () => {
    files['pdf/go.mjs'] = text;
    return script;
  };
  const world = agentWorld([select('pdf'), script, become('two'), become('one'), become('two'), answer('Done.')], {
    files,
    runner: echoRunner(),
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named());
  expect(whoever.asked).toHaveLength(2);
  await replays(world);
});

test('PSA-14: a skill that is edited while somebody is asked is not run', async () => {
  const files = skill();
  const runner = echoRunner();
  const whoever = yes('run');
  const approver = {
    decide: async (...given: Parameters<typeof whoever.decide>) => {
      const decision = await whoever.decide(...given);
      if (whoever.asked.length === 1) files['pdf/go.mjs'] = 'evil';
      return decision;
    },
  };
  const world = agentWorld([select('pdf'), script, script, answer('Done.')], { files, runner, approver });
  await runAgent('Do it.', world.ports, named());
  expect(world.of('observation_recorded')[1]?.error?.code).toBe('INTEGRITY_MISMATCH');
  // It is asked for again, with what became of it.
  expect(whoever.asked.map(({ changes }) => changes?.changed)).toEqual([undefined, ['go.mjs']]);
  expect(runner.ran.map(({ digest }) => digest)).toEqual([digestOf(files)]);
  await replays(world);
});

test('a tool on behalf of a skill is granted for the content of the skill, too', async () => {
  const files = skill();
  const whoever = yes('run');
  const edit = () => {
    files['pdf/go.mjs'] = 'two';
    return write;
  };
  const world = agentWorld([select('pdf'), write, write, edit, answer('Done.')], {
    files,
    skillTools: [echoTool('Put', { risk: 'high' })],
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named({ permissions: { ...asking, allowedTools: 'restrict' } }));
  expect(whoever.asked.map(({ changes }) => changes?.changed)).toEqual([undefined, ['go.mjs']]);
  await replays(world);
});

const unmeasurable: readonly (readonly [what: string, () => Promise<SkillMeasure>])[] = [
  [
    'is too large',
    async () => Promise.reject(new SkillsError('FILE_TOO_LARGE', 'It is too large.', { hint: 'Less.' })),
  ],
  ['cannot be read', async () => Promise.reject(new Error('EIO'))],
  ['answers nothing', async () => undefined as never],
  ['answers what is no digest', async () => ({ digest: 'x' as never, files: [] })],
  ['answers another digest', async () => ({ digest: sha256('x'), files: [] })],
  [
    'answers a file whose digest is none',
    async () => {
      const files = [{ path: 'go.mjs', size: 1, executable: false, digest: 'sha256:x' as never }];
      return { digest: treeDigestOf(files, sha256), files };
    },
  ],
  ['answers what is no file', async () => ({ digest: sha256(''), files: [{ path: 1 } as never] })],
];

test.each(unmeasurable)(
  'PSA-14: of a skill that %s no script is run, and a yes to a tool of it counts once',
  async (_, measureSkill) => {
    const runner = echoRunner();
    const whoever = yes('session');
    const tool = echoTool('Put', { risk: 'medium' });
    const world = agentWorld([select('pdf'), script, write, write, answer('Done.')], {
      files: skill(),
      runner,
      skillTools: [tool],
      approver: whoever,
      measureSkill,
    });
    const permissions = { allowedTools: 'ignore' } as const;
    const { state } = await runAgent('Do it.', world.ports, named({ permissions }));
    expect(runner.ran).toEqual([]);
    expect(tool.calls).toHaveLength(2);
    expect(whoever.asked.map((request) => [request.tool, request.digest])).toEqual([
      ['Put', undefined],
      ['Put', undefined],
    ]);
    expect(state.grants).toEqual([]);
    expect(world.of('skill_measured').every(({ error, digest }) => error !== undefined && digest === undefined)).toBe(
      true,
    );
    await replays(world);
  },
);

test('what a registry cannot list as a whole, or has too much of, is not measured', async () => {
  const whoever = yes('run');
  const { registry } = agentWorld([], { files: skill() }).ports;
  const many = Array.from({ length: 5_000 }, (_, at) => ({ path: `${at}.md`, size: 1, executable: false }));
  const large = new Uint8Array(33 * 1024 * 1024);
  for (const [other, reason] of [
    [{ files: async () => [...many, { path: 'go.mjs', size: 1, executable: false }] }, '5001 files'],
    [
      {
        bytes: async (...given: Parameters<typeof registry.bytes>) =>
          given[1] === 'SKILL.md' ? registry.bytes(...given) : large,
      },
      '67108864 bytes',
    ],
    [
      {
        files: async () => [
          { path: 'go.mjs', size: 1, executable: false },
          { path: 'a\nb', size: 1, executable: false },
        ],
      },
      'name',
    ],
  ] as const) {
    const world = agentWorld([select('pdf'), script, answer('Done.')], {
      registry: { ...registry, ...other },
      runner: echoRunner(),
      approver: whoever,
    });
    await runAgent('Do it.', world.ports, named());
    expect(world.of('skill_measured')[0]?.error?.message).toContain(reason);
    await replays(world);
  }
  expect(whoever.asked).toEqual([]);
});

test('a record that says that another content was measured, or asked for, does not replay', async () => {
  const files = skill();
  const edit = () => {
    files['pdf/go.mjs'] = 'two';
    return script;
  };
  const world = agentWorld([select('pdf'), script, edit, answer('Done.')], {
    files,
    runner: echoRunner(),
    approver: yes('run'),
  });
  await (await startRun(world.ports, named())).ask('Do it.');
  await replays(world);
  const other = sha256('another');
  for (const [at, event] of world.events.entries()) {
    const forged: readonly object[] =
      event.type === 'skill_measured'
        ? [{ digest: other }, { location: 'memory:/other' }]
        : event.type === 'approval_requested'
          ? [
              { request: { ...event.request, digest: other } },
              { request: { ...event.request, changes: undefined, digest: undefined } },
              { request: { ...event.request, confinement: 'box' } },
            ]
          : [];
    for (const change of forged) {
      const events = resealed(world.events, at, change);
      expect(await replayRun({ ...recordOf(world), events }, { sha256 })).toMatchObject({ same: false });
    }
  }
});

test('a run from whose record secrets are taken replays its measures, too', async () => {
  const files = skill();
  files['pdf/hunter2.md'] = 'x';
  const edit = () => {
    files['pdf/hunter2.md'] = 'y';
    return script;
  };
  const whoever = yes('run');
  const world = agentWorld([select('pdf'), script, edit, answer('Done.')], {
    files,
    runner: echoRunner(),
    approver: whoever,
  });
  await runAgent('Do it.', world.ports, named({ redact: (text) => text.replaceAll('hunter2', '[redacted]') }));
  expect(whoever.asked[1]?.changes?.changed).toEqual(['[redacted].md']);
  const kept = [...world.journal.kept.values()].map((bytes) => new TextDecoder().decode(bytes));
  expect(JSON.stringify([world.events, kept])).not.toContain('hunter2');
  await replays(world);
});
