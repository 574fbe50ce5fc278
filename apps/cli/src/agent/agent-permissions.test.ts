import type { Tool } from '@skillpack/core';
import { expect, test } from 'vitest';
import { agentPermissions, type PermissionParts } from './agent-permissions.js';

const tool = (name: string, risk: Tool['risk']): Tool => ({
  name,
  risk,
  description: name,
  inputSchema: { type: 'object' },
  run: async () => Promise.reject(new Error('Nothing is called here.')),
});
const tools = [tool('read_file', 'low'), tool('write_file', 'high'), tool('run_command', 'high')];
const usual = { allow: ['risk:low'], ask: ['risk:medium'], deny: [] };

function askedWith(
  flags: Parameters<typeof agentPermissions>[0],
  configured: PermissionParts['settings']['permissions']['configured'] = usual,
): readonly string[] | undefined {
  const permissions = agentPermissions(flags, { settings: { permissions: { configured } }, tools });
  expect({ ...permissions.configured, ask: usual.ask }).toEqual({ ...configured, ask: usual.ask });
  return permissions.configured?.ask;
}

test('PSA-13: what a command line turns on needs a yes, and what is on already becomes no stricter', () => {
  expect(askedWith({})).toEqual(['risk:medium']);
  expect(askedWith({ allow: 'write_file' })).toEqual(['risk:medium', 'write_file']);
  expect(askedWith({ allow: 'risk:high' })).toEqual(['risk:medium', 'write_file', 'run_command']);
  expect(askedWith({ allow: '*' })).toEqual(['risk:medium', 'write_file', 'run_command']);
  expect(askedWith({ allow: 'read_file,run_script,Read,risk:low' })).toEqual(['risk:medium']);
  expect(askedWith({ allow: 'Bash' })).toEqual(['risk:medium', 'run_command']);
  expect(askedWith({ allow: 'run_command(git:*), Write(a/**)' })).toEqual([
    'risk:medium',
    'run_command(git:*)',
    'Write(a/**)',
  ]);
  expect(askedWith({ allow: 'write_file' }, { ...usual, allow: ['write_file'] })).toEqual(['risk:medium']);
});

test('PSA-13: a yes that names a tool turns it on; ask and never turn nothing on', () => {
  expect(askedWith({ approve: 'write_file,run_script(pdf)' })).toEqual(['risk:medium', 'write_file']);
  expect(askedWith({ approve: 'write_file', allow: 'write_file' })).toEqual(['risk:medium', 'write_file']);
  for (const approve of ['ask', 'never', undefined]) expect(askedWith({ approve })).toEqual(['risk:medium']);
});

test('a rule of --allow whose name is mistyped is told the nearest one, pattern or not', () => {
  expect(() => askedWith({ allow: 'Bsh(git:*)' })).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: '--allow has a rule that names no tool: “Bsh(git:*)”.',
      hint: expect.stringContaining('Did you mean “Bash”?'),
    }),
  );
});

test('PSA-13: what is denied is not turned on, and what names nothing is refused', () => {
  const deny = { ...usual, deny: ['write_file'] };
  for (const flags of [{ allow: 'write_file' }, { allow: '*' }, { approve: 'write_file' }]) {
    expect(() => askedWith(flags, deny)).toThrow(expect.objectContaining({ code: 'TOOL_NOT_ALLOWED' }));
  }
  for (const allow of ['', ',', 'write', 'write_file,', 'mcp__server', 'write_file(', 'read_file(~/x)']) {
    expect(() => askedWith({ allow }), allow).toThrow(expect.objectContaining({ code: 'USAGE' }));
  }
});
