import { readFileSync } from 'node:fs';
import {
  checkPermissions,
  defaultToolRules,
  judgeToolUse,
  namedTools,
  describeToolRule,
  type ToolUse,
} from '@skillpack/core';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../../../docs/permissions.md', import.meta.url), 'utf8');

/** The pieces of code in each cell of each row of the tables below a heading. */
function rowsBelow(heading: string): readonly (readonly (readonly string[])[])[] {
  const [, section = ''] = page.split(new RegExp(`^#+ ${heading}$`, 'mu'));
  return (section.split(/^#/mu)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code)),
    );
}

const inputs = [
  ['Commands', 'run_command', (text: string) => ({ command: text })],
  ['Paths', 'read_file', (text: string) => ({ path: text })],
  ['Domains', 'http_request', (text: string) => ({ url: text })],
] as const;

test.each(inputs)('the page says of patterns of %s what holds', (heading, tool, inputOf) => {
  const rows = rowsBelow(heading);
  expect(rows.length).toBeGreaterThan(1);
  for (const [[rule = ''] = [], meant = [], others = []] of rows) {
    expect([rule, meant.length > 0, others.length > 0]).toEqual([rule, true, true]);
    const judged = (text: string): readonly [string, string] => {
      const use: ToolUse = {
        action: 'call_tool',
        tool,
        risk: 'high',
        input: inputOf(text),
        runsCode: true,
        confined: false,
      };
      return [text, judgeToolUse(use, { permissions: { configured: { allow: [rule] } }, skills: [] }).kind];
    };
    expect(meant.map(judged)).toEqual(meant.map((text) => [text, 'allow']));
    expect(others.map(judged)).toEqual(others.map((text) => [text, 'refuse']));
  }
});

test('the page says which names stand for which tools', () => {
  const known = [
    'run_command',
    'run_script',
    'read_file',
    'list_dir',
    'grep',
    'write_file',
    'edit_file',
    'delete_file',
    'http_request',
  ];
  const named = rowsBelow('Rules').flatMap(([names = [], tools = []]) =>
    names.map((name) => [name, tools.toSorted()] as const),
  );
  const table = named.filter(([name]) => /^[A-Z][A-Za-z]+$/u.test(name));
  expect(table.map(([name]) => name)).toContain('WebFetch');
  for (const [name, tools] of table) expect([name, namedTools(name, known).toSorted()]).toEqual([name, tools]);
});

test('the page shows rules and a configuration that can be read', () => {
  for (const [[rule = ''] = []] of rowsBelow('Rules'))
    expect([rule, describeToolRule(rule).kind]).not.toContain('unreadable');
  const [, json = ''] = /```json\n([\s\S]*?)```/u.exec(page) ?? [];
  // Cast: the page is ours.
  const { permissions } = JSON.parse(json) as { permissions: Record<string, unknown> };
  const { allowedTools, ...configured } = permissions;
  expect(checkPermissions({ configured, allowedTools })).toEqual({ configured, allowedTools });
});

test('the page says what is allowed, asked and refused where nothing is configured', () => {
  expect(defaultToolRules).toEqual({ allow: ['risk:low'], ask: ['risk:medium'] });
  const judged = { low: 'allowed', medium: 'asked', high: 'refused' };
  for (const [risk, verdict] of Object.entries(judged)) {
    expect(page).toMatch(new RegExp(`^\\| \`${risk}\` .*\\| ${verdict} +\\|$`, 'mu'));
  }
});
