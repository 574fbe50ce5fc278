import { expect, test } from 'vitest';
import { foldEvents } from '../../src/agent/fold-events.js';
import { initialState } from '../../src/agent/initial-state.js';
import { reduceEvent } from '../../src/agent/reduce-event.js';
import { runAgent } from '../../src/agent/run-agent.js';
import { agentWorld, answer, named, select, skillFile } from './agent-world.js';

const files = {
  'pdf/SKILL.md': skillFile('pdf', '# Forms\nRead references/forms.md.'),
  'pdf/references/forms.md': '# Forms\nFill them with care.\n# Other\nNothing.',
};

test('PSA-03: a run goes from its index over decisions, texts, actions and observations to its answer', async () => {
  const world = agentWorld(
    [
      select('pdf'),
      { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'references/forms.md', section_hint: '# Forms' },
      answer('Done.'),
    ],
    { files },
  );
  const { text, stop, degraded } = await runAgent('Fill the form.', world.ports, named());
  expect({ text, stop, degraded }).toEqual({ text: 'Done.', stop: 'final_answer', degraded: false });
  const phases = [initialState('run').phase];
  let state = initialState('run');
  for (const event of world.events) {
    state = reduceEvent(state, event);
    if (state.phase !== phases.at(-1)) phases.push(state.phase);
  }
  expect(phases).toEqual([
    'init',
    'index_skills',
    'decide',
    'load_skill_body',
    'observe',
    'decide',
    'act',
    'observe',
    'decide',
    'final',
  ]);
  expect(foldEvents(world.events)).toEqual(state);
});
