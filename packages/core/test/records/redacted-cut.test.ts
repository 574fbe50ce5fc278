import { expect, test } from 'vitest';
import { redactCut } from '../../src/agent/record/redact-cut.js';
import { createRedactor, replayRun, startRun } from '../../src/index.js';
import { agentWorld, answer, named, select, skillFile, type AgentWorld } from '../agent/agent-world.js';
import { yes } from '../agent/scripts-world.js';
import { sha256 } from '../sha256.js';

const secret = 'correct horse battery';
const token = 'ghp_0123456789abcdeFghijABCDEFGHIJ012345';
const redact = createRedactor({ values: [secret, 'hunter2secret'] });
const script = { kind: 'run_script', skill: { name: 'aaaa' }, relative_path: 'go.mjs', args: [] } as const;
const files = { 'aaaa/SKILL.md': skillFile('aaaa', 'Text.'), 'aaaa/go.mjs': '' };

/** What is kept and shown of a script whose output was cut behind `head`. */
async function ran(
  head: Uint8Array,
  tail: Uint8Array,
): Promise<{ world: AgentWorld; kept: Uint8Array; shown: string }> {
  const bytes = Buffer.concat([head, tail]);
  const world = agentWorld([select('aaaa'), script, answer('Done.')], {
    files,
    approver: yes('run'),
    runner: {
      run: async () => ({
        runner: 'process',
        command: ['node'],
        exitCode: 0,
        signal: undefined,
        timedOut: false,
        stdout: { bytes, size: 90_000, cut: head.length },
        stderr: { bytes: new Uint8Array(), size: 0 },
      }),
    },
  });
  await (await startRun(world.ports, named({ redact }))).ask('Go.');
  const observed = world.of('observation_recorded').at(-1)!;
  const kept = async (digest: Parameters<typeof world.journal.kept.get>[0]) => world.journal.kept.get(digest);
  expect(await replayRun({ events: [...world.events], kept }, { sha256 })).toMatchObject({ same: true });
  const out = Buffer.from(world.journal.kept.get(observed.kept[0]!.digest)!);
  expect(observed.output['stdout_cut']).toBe(out.indexOf('……') + 3);
  return { world, kept: out, shown: observed.content };
}

const hidden = [secret, token, JSON.stringify(`x ${secret}`).slice(1, -1), `Bearer ${token}`];
const halves = ['corr', 'horse', 'battery', 'ghp_', 'ABCDE', '12345'];

test.each(hidden)('wherever a cut lies in %j, no half of it is left, and the rest stands where it stood', (value) => {
  const text = `one two ${value} three four`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const bytes = new TextEncoder().encode(`${text} five`);
    const redacted = redactCut({ bytes, cut }, redact);
    const said = new TextDecoder().decode(redacted.bytes);
    for (const half of halves) expect(said, `${cut}`).not.toContain(half);
    expect(said.endsWith('five')).toBe(true);
    if (cut > 3) expect(said.startsWith('one')).toBe(true);
    // A replay has what was kept, and nobody who knows the secret.
    expect(redactCut(redacted, (given) => given)).toStrictEqual(redacted);
  }
});

test('what is kept and shown of a script whose output was cut within a secret has no half of it', async () => {
  const text = `one two ${secret} three four`;
  for (const cut of [8, 13, 20, 29]) {
    const { kept, shown } = await ran(Buffer.from(text.slice(0, cut)), Buffer.from(`${text.slice(cut)} five`));
    for (const half of halves) {
      expect(Buffer.from(kept).toString(), `${cut}`).not.toContain(half);
      expect(shown, `${cut}`).not.toContain(half);
    }
  }
});

test('the place of the cut is that of what is kept, also where a secret before it became longer', async () => {
  const { kept, shown } = await ran(Buffer.from('hunter2secret and more '), Buffer.from(' the end'));
  expect(Buffer.from(kept).toString()).toBe('[redacted:value] and more …… the end');
  expect(shown).toContain('[redacted:value] and more …\n… something was left out here, and was not kept …\n… the end');
});

test('a private key that was cut leaves nothing of itself on either side', async () => {
  const lines = `MIIE one\n${'AQEAB two\n'.repeat(8)}`;
  const key = `-----BEGIN PRIVATE KEY-----\n${lines}-----END PRIVATE KEY-----`;
  for (const [head, tail] of [
    [`before ${key.slice(0, 50)}`, `${key.slice(60)} behind`],
    ['before ', `${key.slice(60)} behind`],
    [`before ${key.slice(0, 20)}`, `${key.slice(20)} behind`],
    [`before ${key.slice(0, 50)}`, 'AQEAB two behind'],
  ] as const) {
    const { kept } = await ran(Buffer.from(head), Buffer.from(tail));
    expect(Buffer.from(kept).toString()).toMatch(/^before ……(?: behind)?$/u);
  }
});

test('bytes that are no text, and a character that was cut, stay beside the cut', async () => {
  const { kept } = await ran(Buffer.from([0xff, 0x20, 0xe2, 0x82]), Buffer.from([0xac, 0x20, 0xfe]));
  expect(Buffer.from(kept).toString('latin1')).toBe(
    Buffer.from([0xff, 0x20, ...Buffer.from('……'), 0x20, 0xfe]).toString('latin1'),
  );
});
