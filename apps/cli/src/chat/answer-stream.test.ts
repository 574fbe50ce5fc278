import { parseDecision, visibleLines, type RunEvent } from '@skillpack/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnswerStream } from './answer-stream.js';

// Only the type of the event counts here.
const newTurn = { type: 'turn_started', turn: 1 } as RunEvent;

test('the answer is told while it is written, and nothing else of the decision', () => {
  const pieces: string[] = [];
  const stream = createAnswerStream((text) => pieces.push(text));
  stream.push('{"action":{"kind":"final_an');
  stream.push('swer","content":"Hel');
  stream.push('lo\\nyou"},"plan_update":{"kind":"patch","operations":[]}}');
  expect(pieces).toEqual(['Hel', 'lo\nyou']);
  expect(stream.told).toBe('Hello\nyou');
});

test('a question is told as well, and with the next turn it begins anew', () => {
  const pieces: string[] = [];
  const stream = createAnswerStream((text) => pieces.push(text));
  stream.push('{"action":{"kind":"ask_user","question":"Which');
  stream.follow(newTurn);
  stream.push('{"action":{"kind":"final_answer","content":"That."}}');
  expect(pieces).toEqual(['Which', 'That.']);
  expect(stream.told).toBe('That.');
});

test('what is told together is the answer, safe for a terminal, however it is cut', () => {
  const nasty = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u001B', '\u202E', '漢', '👍', '"', '\\', '\t') });
  fc.assert(
    fc.property(nasty, fc.integer({ min: 1, max: 9 }), (content, size) => {
      const stream = createAnswerStream(() => undefined);
      const json = JSON.stringify({ action: { kind: 'final_answer', content } });
      for (let at = 0; at < json.length; at += size) stream.push(json.slice(at, at + size));
      const reading = parseDecision(json, ['final_answer']);
      fc.pre(reading.kind === 'decision' && !content.endsWith('\r'));
      expect(stream.told).toBe(visibleLines(content));
    }),
  );
});

test('what an action has that says nothing to a person is not told', () => {
  const pieces: string[] = [];
  const stream = createAnswerStream((text) => pieces.push(text));
  stream.push('{"action":{"kind":"call_tool","tool":"note","input":{"content":"x"},"content":"secret"}}');
  expect(pieces).toEqual([]);
});
