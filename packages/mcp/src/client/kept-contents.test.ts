import type { Digest } from '@skillpack/core';
import { expect, test } from 'vitest';
import { KeptContents } from './kept-contents.js';

const digest = (letter: string): Digest => `sha256:${letter.repeat(64)}` as Digest;

test('what was asked for last stays, as far as it fits', () => {
  const contents = new KeptContents(10);
  contents.keep(digest('a'), new Uint8Array(4));
  contents.keep(digest('b'), new Uint8Array(4));
  contents.keep(digest('a'), new Uint8Array(4));
  contents.keep(digest('c'), new Uint8Array(4));
  contents.keep(digest('d'), new Uint8Array(11));
  const there = ['a', 'b', 'c', 'd'].filter((letter) => contents.get(digest(letter)) !== undefined);
  expect(there).toEqual(['a', 'c']);
});
