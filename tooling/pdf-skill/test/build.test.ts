import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildScript } from '../src/build/build-script.js';

const skill = join(import.meta.dirname, '../../../skills-builtin/pdf');

test('building again gives the committed files, byte for byte', async () => {
  for (const [path, bytes] of Object.entries(await buildScript())) {
    const committed = await readFile(join(skill, path));
    expect(committed.equals(bytes), `${path} is out of date: run the build of tooling/pdf-skill`).toBe(true);
  }
});

test('the script opens with what it is and where its source is', async () => {
  const [first, ...head] = (await readFile(join(skill, 'scripts/pdf.mjs'), 'utf8')).split('\n', 8);
  expect(first).toBe('#!/usr/bin/env node');
  expect(head.join('\n')).toContain('tooling/pdf-skill');
});

test('the licences of everything in the bundle are stated', async () => {
  const text = await readFile(join(skill, 'references/THIRD_PARTY_LICENSES.md'), 'utf8');
  for (const name of ['@cantoo/pdf-lib', 'culori', 'fflate', 'unpdf', 'PDF.js', 'CMap resources']) {
    expect(text).toContain(`## ${name} `);
  }
});
