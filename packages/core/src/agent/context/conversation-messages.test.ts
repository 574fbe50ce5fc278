import { expect, test } from 'vitest';
import { MadeRun } from '../../../test/context/make-run.js';
import type { RunState } from '../run-state.js';
import { conversationMessages } from './conversation-messages.js';
import { estimateTokens } from './estimate-tokens.js';

test('whatever a record holds, nothing invisible of it reaches a model', () => {
  const run = new MadeRun({ pdf: 'Read it.' }, { contextTokens: 200_000 })
    .ask({ text: 'First.', skill: 'pdf' })
    .select('pdf')
    .use('count', 'counted')
    .reject('No decision.');
  const { parts } = run;
  const hidden = '\u202E\u001B[2J\u{E0041}';
  // As somebody could have written it, whose record goes on here.
  const conversation = parts.state.conversation.map((item): RunState['conversation'][number] => {
    if (item.kind === 'observation') return { ...item, content: `${item.content}${hidden}` };
    if (item.kind === 'rejection') return { ...item, text: hidden, error: { ...item.error, message: hidden } };
    return item.kind === 'request' ? { ...item, request: { ...item.request, text: hidden } } : item;
  });
  const state = { ...parts.state, conversation };
  const messages = conversationMessages(
    { ...parts, state, skills: parts.index.skills },
    { countTokens: estimateTokens },
  );
  const shown = '<U+202E><U+001B>[2J<U+E0041>';
  const all = messages.map(({ content }) => content).join('\n');
  expect([...hidden].filter((character) => all.includes(character))).toEqual(['[', '2', 'J']);
  expect(messages.filter(({ content }) => content.includes(shown)).map(({ role }) => role)).toEqual([
    'user',
    'observation',
    'observation',
    'assistant',
    'observation',
  ]);
});
