import { expect, test } from 'vitest';
import { startRun } from '../../src/agent/start-run.js';
import { replayRun } from '../../src/agent/replay/replay-run.js';
import type { Digest } from '../../src/digest/is-digest.js';
import type { AgentAction } from '../../src/model/action.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, echoTool, named, select, skillFile } from './agent-world.js';

const filler = 'Words that nobody has to remember, told at length.\n'.repeat(60);
const files = {
  'pdf/SKILL.md': skillFile(
    'pdf',
    `# PDF\n\n${filler}\n## Reading\n\n- You MUST read the last page first.\n\n${filler}\n## Forms\n\nFill in the BLUE fields. Never print them.\n`,
    { 'allowed-tools': 'Look' },
  ),
  'pdf/notes.md': 'NOTES',
};
const forms: AgentAction = {
  kind: 'load_resource',
  skill: { name: 'pdf' },
  relative_path: 'SKILL.md',
  section_hint: 'Forms',
};
const notes: AgentAction = { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'notes.md' };
const noise = Array.from({ length: 10 }, (): AgentAction => ({ kind: 'call_tool', tool: 'much', input: {} }));
const plan = {
  goal: 'All the forms',
  steps: [{ id: '1', title: 'The first one', status: 'pending' as const }],
  assumptions: [],
  constraints: {},
};

test('PSA-38, SAA-21: a run whose conversation is shortened still has request, plan, outline, musts, used sections and tools before it', async () => {
  const world = agentWorld(
    [
      { action: select('pdf'), plan_update: { kind: 'replace', plan } },
      forms,
      notes,
      ...noise,
      { kind: 'call_tool', tool: 'Look', input: {} },
      answer('Done.'),
    ],
    {
      files,
      contextTokens: 12_000,
      tools: [echoTool('much', { run: () => ({ content: `MUCH\n${'is said here. '.repeat(250)}` }) })],
      skillTools: [echoTool('Look')],
    },
  );
  const run = await startRun(world.ports, named({ limits: { turns: 30 } }));
  expect(await run.ask('Fill in ALL-THE-FORMS.')).toMatchObject({ stop: 'final_answer' });
  expect(world.of('context_compacted').length).toBeGreaterThan(0);
  for (const { before, after } of world.of('context_compacted')) expect(after).toBeLessThan(before);

  const last = world.model.requests.at(-1);
  const text = last?.messages.map(({ content }) => content).join('\n') ?? '';
  expect(text).not.toContain('Words that nobody has to remember');
  for (const part of [
    'ALL-THE-FORMS',
    '"goal":"All the forms"',
    'skills loaded: pdf',
    '- PDF (line 6)\n  - Reading (line 69)\n  - Forms (line 134)',
    '- You MUST read the last page first. (line 71)\n- Never print them. (line 136)',
    'A section you used:\n## Forms\n\nFill in the BLUE fields. Never print them.',
    'You read before, and can load again: notes.md.',
    'Select pdf again for its instructions',
  ])
    expect(text).toContain(part);
  expect(last?.tools.map(({ name }) => name)).toEqual(['much', 'Look']);
  // The tool of the skill could still be used after that.
  expect(world.of('observation_recorded').at(-1)).toMatchObject({ ok: true, content: 'Look was called' });
  for (const { tokens } of world.of('model_requested')) expect(tokens).toBeLessThanOrEqual(12_000);
  const kept = async (digest: Digest) => world.journal.kept.get(digest);
  expect(await replayRun({ events: world.events, kept }, { sha256 })).toMatchObject({ same: true });
});
