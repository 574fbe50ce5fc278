import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { recorded, scripted } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { requestOf, user } from './recorded-ground.js';

// Adds twenty calls to a cassette once there is a file beside it: `node add-to-cassette.ts <file> <name>`.
const [, , path = '', name = ''] = process.argv;
console.log('ready');
while (!existsSync(`${path}.go`)) await pause(1);
const model = await recorded(
  scripted((_, { messages }) => ({ say: `${messages[0]?.content.replace(' ', '') ?? ''} ${'long '.repeat(5000)}` })),
  cassetteFile(path),
  { mode: 'record-missing' },
);
for (let at = 0; at < 20; at += 1) {
  const request = requestOf([user(`${name} ${at}`)]);
  await model.decide(request, { signal: new AbortController().signal });
}
await model.close();
