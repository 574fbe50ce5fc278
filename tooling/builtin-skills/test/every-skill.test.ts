import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'skills-ref';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runScript, skills } from './run-script.js';

const names = readdirSync(skills, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function read(name: string, path: string): string {
  return readFileSync(join(skills, name, path), 'utf8');
}

/** What an agent runs. What stands in `evals/` looks at what an agent did. */
function scriptsOf(name: string): string[] {
  return readdirSync(join(skills, name, 'scripts'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.mjs'))
    .map(({ parentPath, name: file }) => join(parentPath, file));
}

test('there are the four that the project promises', () => {
  expect(names.toSorted()).toEqual(['pdf', 'release-notes', 'skill-author', 'table']);
});

describe.each(names)('%s', (name) => {
  test('is valid to the reference implementation of the specification', async () => {
    expect(await validate(join(skills, name))).toEqual([]);
  });

  test('is what its own checker of skills wants', async () => {
    const args = ['--offline', '--strict', join(skills, name)];
    const { code, stdout } = await runScript('skill-author/scripts/check.mjs', args);
    expect([code, stdout]).toEqual([0, `${join(skills, name)}: nothing to mend\n`]);
  });

  test('has a short body and a description that says when to use it', () => {
    const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/su.exec(read(name, 'SKILL.md')) ?? [];
    const { description } = parse(front) as { description: string };
    expect(description).toMatch(/\bUse when\b/u);
    expect(body.split('\n').length).toBeLessThan(200);
  });

  test('is a pack of one version, everywhere the same', () => {
    const pack = JSON.parse(read(name, 'skillpack.json')) as Record<string, unknown>;
    const version = '1.0.0';
    expect(pack).toMatchObject({ name: `skillpack/${name}`, version, license: 'Apache-2.0' });
    const { metadata } = parse(/^---\n(.*?)\n---\n/su.exec(read(name, 'SKILL.md'))?.[1] ?? '') as { metadata: unknown };
    expect(metadata).toEqual({ version });
    for (const script of scriptsOf(name)) {
      expect(execFileSync(process.execPath, [script, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
    }
  });

  test('has scripts that need only Node, reach for no network, and say what they do', () => {
    for (const script of scriptsOf(name)) {
      expect(() => execFileSync(process.execPath, ['--check', script])).not.toThrow();
      expect(execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' })).toMatch(/^Usage: node .*\.mjs/u);
      const text = readFileSync(script, 'utf8');
      expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true);
      if (name === 'pdf') continue;
      const imported = [...text.matchAll(/^import .* from '(.*)';$/gmu)].map(([, specifier]) => specifier);
      expect(imported.every((specifier) => specifier?.startsWith('node:'))).toBe(true);
      expect(text).not.toMatch(/node:(?:https?|net|tls|dns|dgram)\b|\bfetch\(|shell: true|\beval\(/u);
    }
  });
});
