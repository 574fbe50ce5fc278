import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readRunEvents, SkillsError } from '../../src/index.js';
import { runEventSchema } from '../../src/agent/record/run-event-schema.js';
import { sha256 } from '../sha256.js';
import { everyStep, linesOf, sealSteps } from './sample-record.js';

const events = sealSteps(everyStep);
const text = linesOf(events);
const read = (record: string) => readRunEvents(record, { sha256 }, { what: 'events.jsonl', run: 'r1' });

test('PSA-26: a record of every type of event reads back as what was written, chained from the run’s id on', () => {
  expect(read(text)).toStrictEqual({ events, torn: undefined });
  expect(events[0]?.prev).toBe(sha256('r1'));
  expect(events.map(({ prev }) => prev).slice(1)).toStrictEqual(events.map(({ hash }) => hash).slice(0, -1));
  const { oneOf = [] } = z.toJSONSchema(runEventSchema) as unknown as {
    oneOf?: { properties: { type: { const: string } } }[];
  };
  expect(new Set(oneOf.map(({ properties }) => properties.type.const))).toStrictEqual(
    new Set(events.map(({ type }) => type)),
  );
});

test('no event can be changed, left out, moved or repeated without being found', () => {
  const lines = text.split('\n').slice(0, -1);
  const record = (rows: readonly string[]) => rows.map((row) => `${row}\n`).join('');
  const at = fc.integer({ min: 0, max: lines.length - 1 });
  const damage = fc.oneof(
    fc.tuple(at, fc.nat(), fc.string({ minLength: 1, maxLength: 3 })).map(([line, position, put]) => {
      const row = lines[line] ?? '';
      const cut = position % row.length;
      return record(lines.with(line, row.slice(0, cut) + put + row.slice(cut + put.length)));
    }),
    // The end alone can be missing: then the record is shorter, as after a crash.
    at.filter((line) => line < lines.length - 1).map((line) => record(lines.toSpliced(line, 1))),
    at.map((line) => record(lines.toSpliced(line, 0, lines[line] ?? ''))),
    fc
      .tuple(at, at)
      .filter(([left, right]) => left !== right)
      .map(([left, right]) => record(lines.with(left, lines[right] ?? '').with(right, lines[left] ?? ''))),
  );
  fc.assert(
    fc.property(damage, (damaged) => {
      if (damaged === text) return;
      expect(() => read(damaged)).toThrow(expect.toSatisfy(isRefusal));
    }),
    { numRuns: 400 },
  );
});

test('a changed event is named with the hash it states and the one it has', () => {
  const lines = text.split('\n');
  const changed = lines.with(2, lines[2]?.replace('"turn":1', '"turn":2') ?? '').join('\n');
  expect(() => read(changed)).toThrow(
    expect.toSatisfy(
      (error: unknown) =>
        SkillsError.is(error, 'INVALID_RECORD') &&
        error.message.startsWith(`events.jsonl, line 3, was changed: it states ${events[2]?.hash}`) &&
        error.data['line'] === 3,
    ),
  );
});

test('even a record whose every hash was made anew is refused when it is that of another run or has no start', () => {
  for (const steps of [everyStep.slice(1), [...everyStep, ...everyStep]]) {
    expect(() => read(linesOf(sealSteps(steps)))).toThrow(/start/u);
  }
  expect(() => read(linesOf(sealSteps(everyStep, 'r2')))).toThrow(/line 1, is of the run “r2”.*record of “r1”/u);
  const ahead = sealSteps([...everyStep.slice(0, 3), { type: 'run_resumed', after: 4, uncertain: undefined }]);
  expect(() => read(linesOf(ahead))).toThrow(/goes back to event 4/u);
  const future = sealSteps([{ ...everyStep[0], formatVersion: 2 } as never]);
  expect(() => read(linesOf(future))).toThrow(expect.toSatisfy((error) => SkillsError.is(error, 'UNSUPPORTED_FORMAT')));
});

test('a line that was being written is told, and what is before it counts', () => {
  fc.assert(
    fc.property(fc.nat({ max: text.length }), (cut) => {
      const start = text.slice(0, cut);
      const whole = start.lastIndexOf('\n') + 1;
      const { events: found, torn } = read(start);
      expect(found).toHaveLength(start.slice(0, whole).split('\n').length - 1);
      expect(torn).toBe(whole === cut ? undefined : start.slice(whole));
    }),
    { numRuns: 60 },
  );
});

test('fields of a later version are counted in the hash, and ignored', () => {
  const extended = sealSteps([{ ...everyStep[0], later: { a: [1] } } as never]);
  expect(read(linesOf(extended)).events[0]).not.toHaveProperty('later');
  expect(() => read(linesOf(extended).replace('"a":[1]', '"a":[2]'))).toThrow(/was changed/u);
});

test('an event has one line that says it: one that says two things, or says it in other words, is refused', () => {
  const [line = ''] = text.split('\n').filter((row) => row.includes('"approval_decided"'));
  const other: Readonly<Record<string, string>> = {
    'a field twice': line.replace(
      '"decision":{',
      '"decision":{"by":"person","kind":"denied","reason":"no"},"decision":{',
    ),
    'a type twice': line.replace('"type":', '"type":"run_finished","type":'),
    'a field within twice': line.replace('"kind":', '"kind":"denied","kind":'),
    'a name spelled with an escape, twice': line.replace('"kind":', String.raw`"k\u0069nd":"denied","kind":`),
    'a name that reading drops': line.replace('"decision":', '"__proto__":{"kind":"denied"},"decision":'),
    'a mark of the byte order': `\uFEFF${line}`,
    'a carriage return': `${line}\r`,
    'a blank': line.replace(',', ', '),
    'an escape of a letter': line.replace('approval_decided', String.raw`approval_\u0064ecided`),
    'another order': line.replace(/^\{("at":"[^"]*"),(.*)\}$/u, '{$2,$1}'),
    'another number': line.replace(/("seq":\d+)/u, '$1.0'),
  };
  for (const [name, said] of Object.entries(other)) {
    expect(said, name).not.toBe(line);
    expect(() => read(text.replace(line, () => said)), name).toThrow(/line \d+, is not written as an event is/u);
  }
});

test('which characters are written as escapes, versions may judge differently', () => {
  const odd = sealSteps([
    ...everyStep.slice(0, 1),
    { type: 'request_received', request: { text: 'a\u202E\u00E9\\u00e9' } },
  ]);
  const written = linesOf(odd);
  expect(written).toContain(String.raw`a\u202eé\\u00e9`);
  for (const said of [written.replace(String.raw`\u202e`, '\u202E'), written.replace('é', String.raw`\u00e9`)]) {
    expect(said).not.toBe(written);
    expect(read(said).events).toStrictEqual(odd);
  }
});

test('a reading has either what was kept or an error', () => {
  const kept = { digest: sha256('body'), size: 4 };
  const error = { code: 'FILE_NOT_FOUND', message: 'It is gone.' } as const;
  const recordWith = (reading: object): string =>
    linesOf(sealSteps([everyStep[0]!, { type: 'skill_read', location: '/pdf', path: 'a', ...reading }]));
  for (const reading of [{}, { kept, error }]) {
    expect(() => read(recordWith(reading))).toThrow(/expected either what was kept or an error/u);
  }
  for (const reading of [{ kept }, { error }]) expect(read(recordWith(reading)).events[1]).toMatchObject(reading);
});

test('an output that is too much for a line is left out, and said to be; another event is refused', () => {
  const observation = (output: object): never =>
    ({ ...everyStep.find((step) => 'type' in step && step.type === 'observation_recorded'), output }) as never;
  for (const output of [{ rows: Array.from({ length: 300_000 }, () => 1) }, { text: '\u0000'.repeat(2_000_000) }]) {
    const [, event] = read(linesOf(sealSteps([everyStep[0] as never, observation(output)]))).events;
    expect(event).toMatchObject({ output: { omitted: expect.stringMatching(/^\d+ (?:values|characters), where/u) } });
  }
  expect(() => sealSteps([{ type: 'request_received', request: { text: 'x'.repeat(2_000_000) } }])).toThrow(
    expect.toSatisfy((error) => SkillsError.is(error, 'FILE_TOO_LARGE')),
  );
});

function isRefusal(error: unknown): boolean {
  return SkillsError.is(error, 'INVALID_RECORD') || SkillsError.is(error, 'UNSUPPORTED_FORMAT');
}

test('a record above 256 Mi characters is refused before it is read', () => {
  const limit = 256 * 1024 * 1024;
  expect(() => read('x'.repeat(limit + 1))).toThrow(
    expect.toSatisfy(
      (error: unknown) =>
        SkillsError.is(error, 'FILE_TOO_LARGE') && error.data['limit'] === limit && error.data['length'] === limit + 1,
    ),
  );
  // One that is as large is read: here, what it has is a line that was cut off.
  expect(read('x'.repeat(limit)).events).toStrictEqual([]);
});

test.each([
  ['r1/1', true],
  ['r1/1/2', true],
  ['r1', true],
  ['r10', false],
  ['r10/1', false],
  ['r1x/1', false],
  ['r', false],
  ['other/r1/1', false],
])('whether an event of %j belongs in the record of r1: %j', (run, belongs) => {
  const record = linesOf(sealSteps([everyStep[0]!, { run, body: { type: 'run_finished' } }]));
  if (belongs) expect(read(record).events).toHaveLength(2);
  else expect(() => read(record)).toThrow(/line 2, belongs to “.+”, not to “r1”/u);
});
