import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createRedactor, type ToolResult } from '@skillpack/core';
import { fakeClock } from '@skillpack/core/testing';
import { createCommandTool, findSandbox, type CommandToolOptions } from '@skillpack/tools-shell';
import { describe, expect, test } from 'vitest';
import { isAlive, long, never, refusal, temporaryFolder, windows } from './script-ground.js';

function makeCommand(options: Partial<CommandToolOptions> = {}, redact?: (text: string) => string) {
  const workspace = temporaryFolder();
  const ports = { clock: fakeClock(), environment: { ...process.env, API_TOKEN: 'token-of-mine' }, redact };
  const tool = createCommandTool(ports, { workspace, grace: 100, ...options });
  const run = async (input: unknown, signal = never): Promise<ToolResult> => tool.run(input, { signal, id: '1' });
  return { tool, run, workspace };
}

const streamOf = ({ outputs }: ToolResult, name: string): string =>
  new TextDecoder().decode(outputs?.find((output) => output.name === name)?.bytes);

const { sandbox } = await findSandbox(
  { environment: process.env },
  { workspace: '/nowhere', candidates: ['bubblewrap'] },
);
// Where there is none, the tests of sandboxes say why.
const runners = [['as a plain process', undefined] as const, ...(sandbox ? [['in a sandbox', sandbox] as const] : [])];

describe.skipIf(windows).each(runners)('%s, a command', (_, confined) => {
  const options = { sandbox: confined };

  test('PSA-24: is a line of a shell in the workspace, and tells how it ended and what it wrote', async () => {
    const { run, workspace, tool } = makeCommand(options);
    const result = await run({ command: 'echo one | tr o 0 > made; cat made; pwd; echo err >&2' });
    expect(result).toMatchObject({
      ok: true,
      output: { exit_code: 0, signal: null, timed_out: false, stderr_bytes: 4 },
    });
    expect(result.output['runner']).toBe(confined === undefined ? 'process' : 'bubblewrap');
    expect(streamOf(result, 'stdout')).toBe(`0ne\n${workspace}\n`);
    expect(result.content).toBe(
      `The command ended with exit code 0.\nIts stdout, ${5 + workspace.length} bytes:\n0ne\n${workspace}\n\nIts stderr, 4 bytes:\nerr\n`,
    );
    expect(readdirSync(workspace)).toEqual(['made']);
    expect(tool).toMatchObject({ name: 'run_command', risk: 'high', runsCode: true, confined: confined !== undefined });
  });

  test('PSA-24: a failure and too long a time are results, with what it wrote until then', long, async () => {
    const { run } = makeCommand(options);
    expect(await run({ command: 'echo begun; exit 3' })).toMatchObject({
      ok: false,
      error: { code: 'EXIT_NONZERO', message: 'The command ended with exit code 3.' },
      output: { exit_code: 3 },
      content: expect.stringContaining('begun'),
    });
    const late = await run({ command: 'echo begun; trap "" TERM; while :; do sleep 1; done', timeout_seconds: 2 });
    expect(late).toMatchObject({
      ok: false,
      error: { code: 'TIMEOUT', message: 'The command took longer than 2 s and was ended.' },
      output: { timed_out: true },
    });
    expect(streamOf(late, 'stdout')).toBe('begun\n');
  });

  test('PSA-23: has few variables, and nothing on its standard input', async () => {
    const { run } = makeCommand(options);
    const { content } = await run({ command: 'env; wc -c' });
    expect(content).toContain('TERM=dumb');
    expect(content).toMatch(/^0$/mu);
    expect(content).not.toContain('token-of-mine');
    const named = makeCommand({ ...options, variables: ['API_TOKEN'], set: { MODE: 'test' } });
    expect((await named.run({ command: 'echo "$API_TOKEN $MODE"' })).content).toContain('token-of-mine test');
  });

  test('AGIO-21: ends with all that it started when it is aborted', long, async () => {
    const { run, workspace } = makeCommand(options);
    const controller = new AbortController();
    const running = refusal(
      run(
        {
          command: 'setsid sh -c "touch begun; exec sleep 1000" & echo $! > pid; while :; do sleep 1; done',
          timeout_seconds: 600,
        },
        controller.signal,
      ),
    );
    await expect.poll(() => existsSync(join(workspace, 'begun')), { timeout: 60_000 }).toBe(true);
    controller.abort();
    expect(await running).toBe('INTERRUPTED');
    if (confined === undefined) expect(isAlive(Number(readFileSync(join(workspace, 'pid'), 'utf8')))).toBe(false);
  });
});

test.skipIf(sandbox === undefined)(
  'in a sandbox, a command sees folders of skills, and no others, and writes to none',
  async () => {
    const [skill, other] = [temporaryFolder(), temporaryFolder()];
    for (const folder of [skill, other]) writeFileSync(join(folder, 'text'), 'shown');
    const { run } = makeCommand({ sandbox, folders: () => [skill, join(skill, 'none')] });
    expect(streamOf(await run({ command: `cat ${skill}/text ${other}/text; touch ${skill}/new` }), 'stdout')).toBe(
      'shown',
    );
    expect(readdirSync(skill)).toEqual(['text']);
    const wide = makeCommand({ sandbox, folders: () => [homedir()] });
    expect(await wide.run({ command: 'true' })).toMatchObject({ error: { code: 'TOOL_NOT_ALLOWED' } });
  },
);

describe.skipIf(windows)('what is told of a command', () => {
  test('of much output, the beginning and the end are told, and all of it is kept', async () => {
    const { run } = makeCommand();
    const result = await run({ command: 'seq 1 100000' });
    expect(result.content.length).toBeLessThan(6_200);
    expect(result.content).toMatch(
      /:\n1\n2\n[^]*588895 characters in all; the whole is in the record as stdout[^]*100000\n/u,
    );
    expect(streamOf(result, 'stdout')).toHaveLength(588_895);
    const cut = makeCommand({ streamBytes: 20 });
    expect(streamOf(await cut.run({ command: 'seq 1 100000' }), 'stdout')).toBe(
      '1\n2\n3\n4\n5\n\n… 588875 bytes were left out here, and were not kept …\n99\n100000\n',
    );
  });

  test('a secret is taken out before anything is cut, of what is told and of what is kept', async () => {
    const redact = createRedactor({ values: ['secret-of-mine'] });
    const { run } = makeCommand({}, redact);
    const result = await run({
      command: 'printf "%2990s" x; echo secret-of-mine; seq 1 5000; echo secret-of-mine >&2',
    });
    expect(JSON.stringify([result.content, streamOf(result, 'stdout'), streamOf(result, 'stderr')])).not.toMatch(
      /secret/u,
    );
    expect(JSON.stringify(result.output)).not.toMatch(/secret/u);
  });

  test('bytes that are no text are kept as they are, and shown so that they do no harm', async () => {
    const { run } = makeCommand();
    const result = await run({ command: String.raw`printf '\377\000\033[2J'` });
    expect([...(result.outputs?.[0]?.bytes ?? [])]).toEqual([255, 0, 27, 91, 50, 74]);
    // eslint-disable-next-line no-control-regex -- that there is none is the promise
    expect(result.content).not.toMatch(/[\u0000\u001B]/u);
  });
});

describe('what a command cannot be', () => {
  test.each([
    [{}, 'command'],
    [{ command: '' }, 'command'],
    [{ command: 'a\0b' }, 'NUL'],
    [{ command: 'x'.repeat(20_001) }, 'command'],
    [{ command: 'true', timeout_seconds: 0 }, 'timeout_seconds'],
    [{ command: 'true', timeout_seconds: 601 }, 'timeout_seconds'],
    [{ command: 'true', cwd: '/' }, 'cwd'],
  ])('%j is refused before anybody is asked', async (input, word) => {
    const { tool, run } = makeCommand();
    expect(() => tool.check?.(input)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    const result = await run(input);
    expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_INPUT' } });
    expect(result.content).toContain(word);
  });

  test('without a shell nothing is run, and options that are none are refused', async () => {
    const ports = { clock: fakeClock(), environment: { PATH: '/nowhere' } };
    const workspace = temporaryFolder();
    const tool = createCommandTool(ports, { workspace });
    expect(await tool.run({ command: 'true' }, { signal: never, id: '1' })).toMatchObject({
      error: { code: 'TOOL_NOT_ALLOWED' },
    });
    for (const options of [{ workspace: 'here' }, { workspace, timeout: 0 }, { workspace, longestTimeout: NaN }]) {
      expect(() => createCommandTool(ports, options)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    }
  });
});
