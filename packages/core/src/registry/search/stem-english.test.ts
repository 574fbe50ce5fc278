import { expect, test } from 'vitest';
import { stemEnglish } from './stem-english.js';

test.each([
  ['price', ['prices', 'priced', 'pricing']],
  ['plan', ['plans', 'planned', 'planning']],
  ['try', ['tries', 'tried', 'trying']],
  ['create', ['creates', 'created', 'creating']],
  ['use', ['used', 'using']],
  ['add', ['adds', 'added', 'adding']],
  ['agree', ['agrees', 'agreed', 'agreeing']],
  ['control', ['controls', 'controlled', 'controlling']],
  ['fill', ['fills', 'filled', 'filling']],
  ['index', ['indexes', 'indexed', 'indexing']],
  ['process', ['processes', 'processed', 'processing']],
])('%s is one word with %j', (word, forms) => {
  for (const form of forms) expect(stemEnglish(form), form).toBe(stemEnglish(word));
});

test.each([
  ['hope', 'hop'],
  ['status', 'state'],
  ['need', 'ne'],
  ['string', 'str'],
  ['movement', 'move'],
  ['writer', 'write'],
  ['analysis', 'analyze'],
])('%s is another word than %s', (word, other) => {
  expect(stemEnglish(word)).not.toBe(stemEnglish(other));
});

test.each(['is', 'css', 'k8s', 'naïve', 'Prices', 'データ', `${'a'.repeat(41)}s`, ''])('%s stays as it is', (word) => {
  expect(stemEnglish(word)).toBe(word);
});
