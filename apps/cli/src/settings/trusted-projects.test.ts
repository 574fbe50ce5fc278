import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillsError } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTrustedProjects } from './trusted-projects.js';

let folder: string;
let home: string;
let project: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trust-'));
  home = join(folder, 'home');
  project = join(folder, 'project');
  mkdirSync(project);
});

afterEach(() => rmSync(folder, { recursive: true }));

const written = () => join(home, 'trusted-projects.json');

test('SPEC-10: a project is trusted once somebody said so, and then by every command', async () => {
  expect(readTrustedProjects(home).verdictOn(project)).toBeUndefined();
  await readTrustedProjects(home).remember(project, 'trusted');
  expect(readTrustedProjects(home).verdictOn(project)).toBe('trusted');
  expect(JSON.parse(readFileSync(written(), 'utf8'))).toEqual({ formatVersion: 1, projects: [realpathSync(project)] });
});

test('a no is remembered as a yes is, and whatever was said last holds', async () => {
  await readTrustedProjects(home).remember(project, 'declined');
  expect(readTrustedProjects(home).verdictOn(project)).toBe('declined');
  const declined = [realpathSync(project)];
  expect(JSON.parse(readFileSync(written(), 'utf8'))).toEqual({ formatVersion: 1, projects: [], declined });
  await readTrustedProjects(home).remember(project, 'trusted');
  expect(readTrustedProjects(home).verdictOn(project)).toBe('trusted');
  await readTrustedProjects(home).remember(project, 'declined');
  expect(readTrustedProjects(home).verdictOn(project)).toBe('declined');
});

test('a project is known by its real path, whatever link leads to it', async () => {
  const link = join(folder, 'link');
  symlinkSync(project, link);
  await readTrustedProjects(home).remember(link, 'trusted');
  expect(readTrustedProjects(home).verdictOn(project)).toBe('trusted');
  rmSync(link);
  mkdirSync(link);
  expect(readTrustedProjects(home).verdictOn(link)).toBeUndefined();
});

test('two commands that add a project each forget neither', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  const one = readTrustedProjects(home);
  await readTrustedProjects(home).remember(other, 'trusted');
  await one.remember(project, 'trusted');
  const { verdictOn } = readTrustedProjects(home);
  expect([project, other].map(verdictOn)).toEqual(['trusted', 'trusted']);
});

test.skipIf(process.platform === 'win32')('nobody else may read or change whom a person trusts', async () => {
  await readTrustedProjects(home).remember(project, 'trusted');
  expect(statSync(written()).mode & 0o777).toBe(0o600);
  chmodSync(written(), 0o622);
  expect(() => readTrustedProjects(home)).toThrow(
    expect.toSatisfy(
      (error: unknown) => SkillsError.is(error, 'INVALID_CONFIG') && error.message.includes('can be changed by others'),
    ),
  );
});

test.each([
  ['[]', 'is not valid'],
  ['{', 'is not JSON'],
  ['{"formatVersion":2,"projects":[]}', 'at formatVersion'],
  ['{"formatVersion":1,"projects":[1]}', 'at projects.0'],
  ['{"formatVersion":1,"projects":[],"declined":"all"}', 'at declined'],
])('%s is refused, not taken for trust in nobody or in everybody', (text, what) => {
  mkdirSync(home);
  writeFileSync(written(), text, { mode: 0o600 });
  expect(() => readTrustedProjects(home)).toThrow(what);
});
