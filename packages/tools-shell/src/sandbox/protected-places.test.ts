import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, windows } from '../../test/script-ground.js';
import { protectPlaces } from './protected-places.js';

const namesOf = (paths: readonly string[]): readonly string[] => paths.map((path) => basename(path)).toSorted();

test('folders that are not there are made, and go with the last who needs them', () => {
  const workspace = temporaryFolder();
  const first = protectPlaces(workspace);
  const second = protectPlaces(workspace);
  expect(namesOf(first.paths)).toEqual(['.agents', '.git']);
  expect(second.paths).toEqual(first.paths);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(readdirSync(workspace)).toEqual(['.agents', '.git']);
  second[Symbol.dispose]();
  expect(readdirSync(workspace)).toEqual([]);
});

test('where this process ends first, they go with it', () => {
  const workspace = temporaryFolder();
  const before = process.listeners('exit');
  const places = protectPlaces(workspace);
  const added = process.listeners('exit').filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  added[0]?.(0);
  expect(readdirSync(workspace)).toEqual([]);
  places[Symbol.dispose]();
  expect(process.listeners('exit')).toEqual(before);
});

test('what is there stays, and so does what somebody puts into a folder that was made', () => {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, '.git'));
  const places = protectPlaces(workspace);
  writeFileSync(join(workspace, '.agents', 'theirs'), '');
  places[Symbol.dispose]();
  expect(readdirSync(workspace)).toEqual(['.agents', '.git']);
});

test('what programs run or trust is protected where it is there, whatever case it is written in', () => {
  const workspace = temporaryFolder();
  for (const name of ['.VSCode', 'src', '.git']) mkdirSync(join(workspace, name));
  for (const name of ['.envrc', 'skillpack.json', 'main.js']) writeFileSync(join(workspace, name), '');
  using places = protectPlaces(workspace);
  expect(namesOf(places.paths)).toEqual(['.VSCode', '.agents', '.envrc', '.git', 'skillpack.json']);
});

test.skipIf(windows)('of other names a link is none: it cannot be kept from being exchanged', () => {
  const workspace = temporaryFolder();
  symlinkSync(temporaryFolder(), join(workspace, '.vscode'));
  using places = protectPlaces(workspace);
  expect(namesOf(places.paths)).toEqual(['.agents', '.git']);
});

test.skipIf(windows)('a link in the place of the most important is refused, and nothing is left', () => {
  const workspace = temporaryFolder();
  symlinkSync(temporaryFolder(), join(workspace, '.agents'));
  expect(() => protectPlaces(workspace)).toThrow(expect.objectContaining({ code: 'TOOL_NOT_ALLOWED' }));
  expect(readdirSync(workspace)).toEqual(['.agents']);
});
