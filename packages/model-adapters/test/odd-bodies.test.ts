import { expect, test } from 'vitest';
import { ask, type Outcome } from './conformance/ask.js';
import { startProvider } from './conformance/start-provider.js';
import { anthropicSubject, openaiSubject, type Subject } from './conformance/subjects.js';

async function answeredWith(subject: Subject, body: string, options: { readonly stream: boolean }): Promise<Outcome> {
  const provider = await startProvider(subject.protocol.check, async (_, out) => {
    out.head(200, { 'content-type': options.stream ? 'text/event-stream' : 'application/json' });
    if (body !== '') await out.write(body);
    out.end();
  });
  try {
    return await ask(subject.make(provider.origin, { structured: 'text', ...options }));
  } finally {
    await provider.close();
  }
}

const noAnswers: readonly string[] = [
  '',
  'null',
  '[]',
  '{}',
  '{"choices":[]}',
  '{"choices":[null]}',
  '{"choices":[{"message":null}]}',
  '{"choices":{}}',
  '{"content":null}',
  '{"content":[{"type":"text"}]}',
  '{"type":"message","role":"assistant","content":"x","stop_reason":7}',
  '{"choices":[{"message":{"content":"x"}}',
  '\u0000\u0001',
  '['.repeat(100_000),
  `{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
  'not json at all',
  'data: [DONE]\n\n',
];

test.for(
  [openaiSubject, anthropicSubject].flatMap((subject) =>
    noAnswers.map((body) => [subject.title, body.slice(0, 40), { subject, body }] as const),
  ),
)(
  'PSA-29: a body that is no answer is told as one that may be asked for again: %s, %s',
  async ([, , { subject, body }]) => {
    for (const stream of [true, false]) {
      const { answer, error } = await answeredWith(subject, body, { stream });
      expect(answer).toBeUndefined();
      expect(['MODEL_ERROR', 'NETWORK_ERROR'], String(error)).toContain((error as { code?: unknown }).code);
      expect(String(error).length).toBeLessThan(1200);
    }
  },
);
