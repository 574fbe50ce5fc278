import { expect, test } from 'vitest';
import { lookedAt, makeCleaner } from './make-cleaner.js';

const key = 'hünter2+secret/key';
const clean = makeCleaner([key]);
const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')];

test.for(forms)(
  'PSA-29: of a key that a server repeats as %s next to nothing is left where the text was cut',
  (form) => {
    for (let length = 4; length <= form.length; length += 1) {
      const told = clean(`It is ${form.slice(0, length)}`);
      // Of base64, the last character says less than one of the key.
      expect(told.replace('It is ', '').replace('[redacted:value]', '').length).toBeLessThan(4);
    }
  },
);

test('PSA-29: no more of a text is looked at than has a use', () => {
  expect(clean('x '.repeat(lookedAt)).length).toBe(lookedAt);
  expect(clean(`${'x'.repeat(lookedAt - 6)}${key}`)).toBe('x'.repeat(lookedAt - 6));
});
