import { expect, test } from 'vitest';
// oxlint-disable-next-line no-restricted-imports -- it is what others load beside
import * as z from 'zod';
import { checkPermissions, defineTool } from '../src/index.js';
import { parseDecision } from '../src/model/parse-decision.js';
import { fakeClock } from '../src/testing.js';

const own = z.strictObject({
  count: z.int().min(1),
  unit: z.enum(['mm', 'cm']),
  name: z.string().min(2, 'expected a name'),
});

async function told(): Promise<readonly unknown[]> {
  const tool = defineTool(
    { name: 'measure', description: '', input: own, risk: 'low', run: () => ({ content: '', output: {} }) },
    { clock: fakeClock() },
  );
  const { content } = await tool.run(
    { count: 0, unit: 'km', name: 'a' },
    { id: '1', signal: new AbortController().signal },
  );
  const decision = parseDecision('{"action":{"kind":"select_skills","skills":[{"name":7}]}}', ['select_skills']);
  const refused = (): unknown => {
    try {
      return checkPermissions({ configured: { allow: 7 } });
    } catch (error) {
      return String(error);
    }
  };
  return [content, decision, refused()];
}

// Whoever loads all of zod has set its words for the whole process.
test('what is told of a problem does not depend on the words or the language of zod that others chose', async () => {
  const config = z.config();
  try {
    z.config(z.locales.en());
    const english = await told();
    expect(english[0]).toMatch(/count: expected at least 1, found 0.*name: expected a name, found “a”/su);
    expect(JSON.stringify(english)).not.toContain('Invalid');
    z.config(z.locales.de());
    expect(await told()).toEqual(english);
    z.config({ localeError: () => 'of mine', customError: () => 'of mine' });
    expect(await told()).toEqual(english);
  } finally {
    z.config({ customError: undefined, ...config });
  }
});
