import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { namedTools, SkillsError } from '@skillpack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentTools } from '../agent/agent-tools.js';
import { otherNames, toolNames, toolRisks } from './known-tools.js';
import { readAgentSettings, type AgentSettings, type AgentSettingsFlags } from './read-agent-settings.js';

let base: string;
let home: string;
let project: string;
let warnings: string[];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'agent-settings-')));
  home = join(base, 'home');
  project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
});

afterEach(() => rmSync(base, { recursive: true }));

function configure(folder: string, value: unknown): void {
  const path = join(folder, '.agents', 'config.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

function read(env: NodeJS.ProcessEnv = {}, flags?: AgentSettingsFlags): AgentSettings {
  warnings = [];
  const source = { env, cwd: project, home, platform: 'linux', warn: (text: string) => warnings.push(text) } as const;
  return readAgentSettings(source, flags);
}

test('PSA-13: what reads is done, what is of medium risk needs a yes, and all else is off, unless a person says otherwise', () => {
  expect(read().permissions).toEqual({
    configured: { allow: ['risk:low'], ask: ['risk:medium'], deny: [] },
    allowedTools: undefined,
  });
  configure(home, { permissions: { allow: ['read_file'], env: ['MODE'] } });
  expect(read()).toMatchObject({
    permissions: { configured: { allow: ['read_file'], ask: ['risk:medium'], deny: [] } },
    env: ['MODE'],
  });
  configure(home, { permissions: { ask: [], deny: ['grep'], allowedTools: { 'acme/*': 'grant' } } });
  expect(read().permissions).toEqual({
    configured: { allow: ['risk:low'], ask: [], deny: ['grep'] },
    allowedTools: { 'acme/*': 'grant' },
  });
});

test('PSA-13: a project takes away by what it denies, and gives nothing; it is told what counts for nothing', () => {
  configure(home, { permissions: { deny: ['grep'], allowedTools: 'restrict' } });
  const greedy = { allow: ['*'], ask: ['risk:high'], deny: ['run_script'], allowedTools: 'grant', env: ['MY_TOKEN'] };
  configure(project, { permissions: greedy, sandbox: 'off' });
  const settings = read();
  expect(settings).toMatchObject({ env: [], sandbox: { mode: 'auto', origin: 'default' } });
  expect(settings.permissions).toEqual({
    configured: { allow: ['risk:low'], ask: ['risk:medium'], deny: ['grep', 'run_script'] },
    allowedTools: 'restrict',
  });
  for (const name of [
    'permissions.allow',
    'permissions.ask',
    'permissions.allowedTools',
    'permissions.env',
    'sandbox',
  ]) {
    expect(warnings.join('\n')).toContain(`“${name}” is left out: it counts only in a config.json of your own.`);
  }
  expect(warnings).toHaveLength(5);
});

test('a rule that cannot be read is refused, whoever wrote it, and so is what is no mode', () => {
  for (const permissions of [{ deny: ['run_command(('] }, { deny: ['nothing known(x)'] }]) {
    for (const folder of [home, project]) {
      configure(folder, { permissions });
      expect(() => read()).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(join(folder, '.agents')) }),
      );
      configure(folder, {});
    }
  }
  for (const wrong of [{ allow: 'all' }, { allowedTools: 'all' }, { allowedTools: { pdf: 'yes' } }, { env: [1] }]) {
    configure(home, { permissions: wrong });
    expect(() => read()).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  }
});

function complaint(folder: string, value: unknown): SkillsError {
  configure(folder, value);
  try {
    read();
  } catch (error) {
    if (SkillsError.is(error)) return error;
    throw error;
  } finally {
    configure(folder, {});
  }
  throw new Error('It was read.');
}

test('PSA-13: a rule that names no tool there is, is refused with the nearest name: what it was to deny would be done', () => {
  for (const [list, rule, nearest] of [
    ['deny', 'writ_file', 'write_file'],
    ['ask', 'writ_file(src/**)', 'write_file'],
    ['allow', 'Bsh(git:*)', 'Bash'],
    ['deny', 'Bsh', 'Bash'],
    ['deny', 'run_scripts', 'run_script'],
    ['allow', 'read_File', 'read_file'],
  ] as const) {
    const { code, message, hint } = complaint(home, { permissions: { [list]: ['risk:low', rule] } });
    expect(code).toBe('INVALID_CONFIG');
    expect(message).toBe(
      `${join(home, '.agents', 'config.json')} has a rule at permissions.${list}.1 that names no tool: “${rule}”.`,
    );
    expect(hint).toContain(`Did you mean “${nearest}”?`);
  }
  expect(complaint(project, { permissions: { deny: ['wrte_file'] } }).message).toContain(
    `${join(project, '.agents', 'config.json')} has a rule at permissions.deny.0 that names no tool`,
  );
  expect(complaint(home, { permissions: { deny: ['Task'] } }).hint).toContain('There is run_script, run_command');
  // Whoever denies means it in whatever case; a server of tools may be there or not.
  const known = { deny: ['bash', 'WRITE_FILE', 'mcp__github', 'mcp__github__list', '*', 'risk:high', 'LS'] };
  configure(home, { permissions: known });
  configure(project, { permissions: { deny: known.deny, allow: ['no_such_tool'] } });
  expect(read().permissions.configured.deny).toEqual([...known.deny, ...known.deny]);
});

test('PSA-13: a field that may have been meant to deny is refused', () => {
  const here = join(home, '.agents', 'config.json');
  for (const [value, message] of [
    [{ permissions: { denny: ['run_script'] } }, `${here} has no field “permissions.denny”; did you mean “deny”?`],
    [{ permissions: { forbid: ['run_script'] } }, `${here} has no field “permissions.forbid”.`],
    [{ permision: { deny: ['run_script'] } }, `${here} has no field “permision”; did you mean “permissions”?`],
    [{ Permissions: {} }, `${here} has no field “Permissions”; did you mean “permissions”?`],
    [{ sandbx: 'required' }, `${here} has no field “sandbx”; did you mean “sandbox”?`],
    [{ deny: ['run_script'] }, `${here} has no field “deny”; did you mean “permissions.deny”?`],
    [{ allowedTools: 'restrict' }, `${here} has no field “allowedTools”; did you mean “permissions.allowedTools”?`],
  ] as const) {
    expect(complaint(home, value)).toMatchObject({ code: 'INVALID_CONFIG', message });
  }
  const there = join(project, '.agents', 'config.json');
  for (const value of [{ permissions: { denny: [] } }, { permission: {} }, { deny: [] }]) {
    expect(complaint(project, value)).toMatchObject({ code: 'INVALID_CONFIG' });
  }
  // Of a project these count for nothing, however they are written.
  configure(project, { permissions: { alow: [], forbid: [] }, sandbx: 'off', ask: [], colour: 'red' });
  read();
  expect(warnings).toEqual([
    `${there}: There is no field “sandbx”; did you mean “sandbox”?`,
    `${there}: There is no field “ask”.`,
    `${there}: There is no field “colour”.`,
    `${there}: There is no field “permissions.alow”; did you mean “allow”?`,
    `${there}: There is no field “permissions.forbid”.`,
  ]);
});

test('what a field may be is told where it is something else', () => {
  for (const [value, problem] of [
    [{ sandbox: 'requird' }, 'is not valid at sandbox: expected required, auto or off, found “requird”.'],
    [{ permissions: { deny: 'run_script' } }, 'at permissions.deny: expected a list of texts, found “run_script”.'],
    [{ permissions: { deny: [7] } }, 'at permissions.deny.0: expected a text, found 7.'],
    [
      { permissions: { allowedTools: 'grnt' } },
      'at permissions.allowedTools: expected grant, restrict or ignore, or an object of these, found “grnt”.',
    ],
    [{ permissions: [] }, 'at permissions: expected an object, found a list.'],
    [{ limits: { turns: 0 } }, 'at limits.turns: expected a whole number from 1, found 0.'],
    [{ limits: { turns: 1.5 } }, 'at limits.turns: expected a whole number from 1, found 1.5.'],
    [{ offline: 'yes' }, 'at offline: expected true or false, found “yes”.'],
  ] as const) {
    expect(complaint(home, value)).toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringContaining(problem) });
  }
});

test('a name in env that no variable has is refused with its file and its place', () => {
  expect(complaint(home, { permissions: { env: ['MODE', 'FOO*'] } })).toMatchObject({
    code: 'INVALID_CONFIG',
    message: `${join(home, '.agents', 'config.json')} names at permissions.env.1 what is no variable: “FOO*”.`,
  });
});

test('the names that a rule may have are those of the tools of this command, and what stands for them', () => {
  const environment = {};
  const ports = { clock: { now: () => 0 }, redact: (text: string) => text };
  const places = {
    workspace: project,
    folders: () => [],
    environment,
    variables: [],
    sandbox: undefined,
    protected: [],
  };
  const tools = agentTools(ports, places).map(({ name, risk }) => [name, risk] as const);
  expect(toolRisks).toEqual(new Map([['run_script', 'medium'], ...tools]));
  for (const name of otherNames) expect(namedTools(name, toolNames), name).not.toEqual([]);
});

test('whether scripts run in a sandbox is said by an option, else by the environment, else by the person’s own file', () => {
  expect(read().sandbox).toEqual({ mode: 'auto', origin: 'default' });
  configure(home, { sandbox: 'required' });
  expect(read().sandbox).toEqual({ mode: 'required', origin: 'user' });
  expect(read({ SKILLS_SANDBOX: 'OFF' }).sandbox).toEqual({ mode: 'off', origin: 'environment' });
  expect(read({ SKILLS_SANDBOX: ' ' }).sandbox.origin).toBe('user');
  expect(read({ SKILLS_SANDBOX: 'off' }, { sandbox: 'auto' }).sandbox).toEqual({ mode: 'auto', origin: 'flag' });
  expect(() => read({ SKILLS_SANDBOX: 'yes' })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  configure(home, { sandbox: 'yes' });
  expect(() => read()).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});

test('a rule that allows what is asked about anyway is told: it has no effect', () => {
  const told = (allow: readonly string[], ask?: readonly string[]): readonly string[] => {
    configure(home, { permissions: { allow, ...(ask === undefined ? {} : { ask }) } });
    read();
    return warnings;
  };
  const script = 'run_script(scripts/info.sh:*)';
  expect(told(['risk:low', script])).toEqual([
    `${join(home, '.agents', 'config.json')}: “${script}” in “permissions.allow” has no effect: “risk:medium” asks, which is in “ask” where you leave that out, and “ask” beats “allow”. https://github.com/skillpack/skillpack/blob/main/docs/permissions.md says how to be asked about less.`,
  ]);
  expect(told(['Write(*.md)'], ['risk:high'])).toEqual([
    expect.stringContaining(
      '“Write(*.md)” in “permissions.allow” has no effect: “risk:high” in “permissions.ask” asks, and',
    ),
  ]);
  for (const [allow, ask] of [
    ['risk:medium', '*'],
    ['Read(src/**)', 'Read'],
    ['read_file', 'Read'],
    ['mcp__github', 'mcp__github'],
    ['*', '*'],
  ] as const) {
    expect(told([allow], [ask]), `${allow} ${ask}`).toHaveLength(1);
  }
  for (const [allow, ask] of [
    [script, 'run_script(scripts/other.sh:*)'],
    ['Bash(git:*)', 'risk:medium'],
    ['Read', 'read_file'],
    ['risk:low', 'risk:medium'],
    ['*', 'risk:high'],
    ['mcp__github', 'risk:high'],
  ] as const) {
    expect(told([allow], [ask]), `${allow} ${ask}`).toEqual([]);
  }
});
