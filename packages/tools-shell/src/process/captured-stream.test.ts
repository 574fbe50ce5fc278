import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CapturedStream } from './captured-stream.js';

function capture(maxBytes: number, chunks: readonly Uint8Array[]) {
  const stream = new CapturedStream(maxBytes);
  for (const chunk of chunks) stream.add(chunk);
  return stream.result();
}

test('however a text arrives, its beginning and its end are kept, and the cut is told', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 12 }), (maxBytes, chunks) => {
      const whole = Buffer.concat(chunks);
      const { bytes, size, cut } = capture(maxBytes, chunks);
      expect(size).toBe(whole.length);
      if (whole.length <= maxBytes) {
        expect(Buffer.from(bytes)).toEqual(whole);
        expect(cut).toBeUndefined();
        return;
      }
      const head = Math.ceil(maxBytes / 2);
      expect(cut).toBe(head);
      expect(bytes).toHaveLength(maxBytes);
      expect(Buffer.from(bytes.subarray(0, head))).toEqual(whole.subarray(0, head));
      expect(Buffer.from(bytes.subarray(head))).toEqual(whole.subarray(whole.length - (maxBytes - head)));
    }),
  );
});

test('what is kept is a copy: the memory of a chunk may be used again', () => {
  const chunk = new Uint8Array([1, 2, 3]);
  const stream = new CapturedStream(2);
  stream.add(chunk);
  chunk.fill(9);
  expect([...stream.result().bytes]).toEqual([1, 3]);
});
