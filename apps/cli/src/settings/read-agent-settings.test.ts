import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('a rule that cannot be read is refused, whoever wrote it, and so is what is no mode; an unknown field is told', () => {
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
  configure(home, { permissions: { denny: [] } });
  read();
  expect(warnings).toEqual([expect.stringContaining('“permissions.denny”; did you mean “deny”?')]);
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
