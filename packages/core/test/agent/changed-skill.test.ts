import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldEvents, replayRun, resumeRun, SkillsError, startRun } from '../../src/index.js';
import type { AgentOptions } from '../../src/index.js';
import { sha256 } from '../sha256.js';
import { agentWorld, answer, named, select, skillFile, type AgentWorld, type Reply } from './agent-world.js';

const following: AgentOptions = named({ autoReload: true });

const recordOf = ({ journal }: AgentWorld) => ({
  events: [...journal.events],
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});

async function expectReplay(world: AgentWorld): Promise<void> {
  const report = await replayRun(recordOf(world), { sha256 });
  expect(report).toMatchObject({ same: true, events: world.events.length });
}

const lastAsked = ({ model }: AgentWorld): string =>
  (model.requests.at(-1)?.messages ?? []).map(({ content }) => content).join('\n');

const note =
  /<skill_note>The skill “pdf” was changed since it was loaded\. [^<]*<\/skill_note>\n\n<skill_body name="pdf"[^>]*>\nNEW-BODY\n<\/skill_body>\n\nSecond\?/u;

test('a skill that the model loaded and that is changed holds as it is now from the next request on, and replays', async () => {
  const files = { 'pdf/SKILL.md': skillFile('pdf', 'OLD-BODY') };
  const world = agentWorld(
    [select('pdf'), answer('One.'), answer('Two.'), select('pdf'), answer('Three.'), answer('Four.')],
    { files },
  );
  const run = await startRun(world.ports, following);
  await run.ask('First?');
  files['pdf/SKILL.md'] = skillFile('pdf', 'NEW-BODY');
  await run.ask('Second?');
  expect(lastAsked(world)).toMatch(note);
  expect(world.of('skill_activated').map(({ activation }) => activation.by)).toEqual(['model', 'model']);
  const events = world.events.length;
  // It stands there, and is not read anew where it stays the same.
  await run.ask('Third?');
  expect(world.of('observation_recorded').at(-1)?.content).toContain('is active already');
  expect(world.of('skill_activated')).toHaveLength(2);
  expect(world.events.slice(events).map(({ type }) => type)).not.toContain('skill_read');
  files['pdf/SKILL.md'] = skillFile('pdf', 'NEWEST-BODY');
  await run.ask('Fourth?');
  expect(lastAsked(world)).toContain('NEWEST-BODY');
  expect(lastAsked(world)).not.toContain('NEW-BODY');
  expect(lastAsked(world).match(/<skill_note>/gu)).toHaveLength(1);
  await run.finish();
  expect(run.state).toStrictEqual(foldEvents(world.events));
  await expectReplay(world);
});

test('a skill that a person called, or that the run began with, stands in its place as it is now', async () => {
  const files = {
    'pdf/SKILL.md': skillFile('pdf', 'OLD-PDF'),
    'mail/SKILL.md': skillFile('mail', 'OLD-MAIL'),
  };
  const world = agentWorld(['One.', 'Two.', 'Three.'].map(answer), { files });
  const run = await startRun(world.ports, { ...following, preload: ['mail'] });
  await run.ask({ text: 'First?', skill: 'pdf' });
  files['pdf/SKILL.md'] = skillFile('pdf', 'NEW-PDF');
  files['mail/SKILL.md'] = skillFile('mail', 'NEW-MAIL');
  await run.ask('Second?');
  expect(lastAsked(world)).not.toMatch(/OLD-|skill_note/u);
  expect(lastAsked(world).match(/NEW-(?:PDF|MAIL)/gu)).toEqual(['NEW-MAIL', 'NEW-PDF']);
  files['pdf/SKILL.md'] = skillFile('pdf', 'NEWEST-PDF');
  // What is called is read for that, and once.
  await run.ask({ text: 'Third?', skill: 'pdf' });
  expect(world.of('skill_activated').map(({ activation }) => activation.name)).toEqual([
    'mail',
    'pdf',
    'mail',
    'pdf',
    'pdf',
  ]);
  await expectReplay(world);
});

test('a skill that was changed while a run was cut off holds as it is now when the run goes on', async () => {
  const files = { 'pdf/SKILL.md': skillFile('pdf', 'OLD-BODY') };
  const first = agentWorld([select('pdf'), answer('Done.')], { files });
  await (await startRun(first.ports, named())).ask('First?');
  const length = first.types().indexOf('turn_finished') + 1;
  files['pdf/SKILL.md'] = skillFile('pdf', 'NEW-BODY');
  const next = agentWorld([answer('Done.')], { files });
  for (const bytes of first.journal.kept.values()) await next.journal.keep(bytes);
  for (const event of first.events.slice(0, length)) await next.journal.append(event);
  await (await resumeRun(recordOf(next), next.ports)).goOn();
  expect(lastAsked(next)).toMatch(/OLD-BODY[\s\S]*<skill_note>[\s\S]*NEW-BODY/u);
  await expectReplay(next);
});

test('a changed skill that cannot be read, is none any more, or forbids models, changes nothing else', async () => {
  const files: Record<string, string> = { 'pdf/SKILL.md': skillFile('pdf', 'OLD-BODY', { 'allowed-tools': 'Look' }) };
  const world = agentWorld([select('pdf'), ...['One.', 'Two.', 'Three.'].map(answer)], { files });
  const { registry } = world.ports;
  const broken = { on: false };
  const bytes: typeof registry.bytes = async (...read) => {
    if (broken.on) throw new SkillsError('IO_ERROR', 'The disk is gone.');
    return registry.bytes(...read);
  };
  const run = await startRun({ ...world.ports, registry: { ...registry, bytes } }, following);
  await run.ask('First?');
  broken.on = true;
  files['pdf/SKILL.md'] = skillFile('pdf', 'NEW-BODY');
  await run.ask('Second?');
  broken.on = false;
  files['pdf/SKILL.md'] = skillFile('pdf', 'NEW-BODY', { 'disable-model-invocation': 'true' });
  await run.ask('Third?');
  expect(world.of('skill_activated')).toHaveLength(1);
  expect(lastAsked(world)).not.toContain('NEW-BODY');
  await expectReplay(world);
});

test('no secret of a changed skill reaches the model or the record', async () => {
  const files = { 'pdf/SKILL.md': skillFile('pdf', 'Say hunter2.') };
  const world = agentWorld([select('pdf'), answer('One.'), answer('Two.'), answer('Three.')], { files });
  const redact = (text: string): string => text.replaceAll('hunter2', '[left out]');
  const run = await startRun(world.ports, { ...following, redact });
  await run.ask('First?');
  // The same but for what is taken out is the same.
  await run.ask('Second?');
  expect(world.of('skill_activated')).toHaveLength(1);
  files['pdf/SKILL.md'] = skillFile('pdf', 'Shout hunter2.');
  await run.ask('Third?');
  expect(lastAsked(world)).toContain('Shout [left out].');
  for (const bytes of world.journal.kept.values()) expect(new TextDecoder().decode(bytes)).not.toContain('hunter2');
  await expectReplay(world);
});

const names = ['pdf', 'mail'] as const;
const step = fc.record({
  // What happens to the files before the request.
  edits: fc.array(
    fc.record({
      name: fc.constantFrom(...names),
      what: fc.constantFrom('change', 'remove', 'break', 'forbid', 'describe'),
    }),
    { maxLength: 3 },
  ),
  skill: fc.constantFrom(undefined, undefined, ...names, 'none'),
  reply: fc.constantFrom('answer', 'pdf', 'mail'),
  resume: fc.boolean(),
});

test('a skill that changed before a call of one that is not there, and again after it, replays', async () => {
  const files: Record<string, string> = { 'pdf/SKILL.md': skillFile('pdf', 'Text 0.') };
  const world = agentWorld([select('pdf'), answer('One.'), answer('Two.')], { files });
  const run = await startRun(world.ports, following);
  await run.ask('Read.');
  files['pdf/SKILL.md'] = skillFile('pdf', 'Text 1.');
  await expect(run.ask({ text: 'Go.', skill: 'none' })).rejects.toThrow('There is no skill');
  files['pdf/SKILL.md'] = skillFile('pdf', 'Text 2.');
  await run.ask('Go on.');
  expect(world.of('skill_activated')).toHaveLength(3);
  await expectReplay(world);
});

test.each([
  ['pdf', 'mail'],
  ['mail', 'pdf'],
] as const)(
  'skills that change one after the other, %s before a call in vain and %s after it, replay',
  async (...order) => {
    const files: Record<string, string> = {};
    for (const name of names) files[`${name}/SKILL.md`] = skillFile(name, 'Text 0.');
    const world = agentWorld([select('pdf'), select('mail'), answer('One.'), answer('Two.')], { files });
    const run = await startRun(world.ports, following);
    await run.ask('Read.');
    const [first, second] = order;
    files[`${first}/SKILL.md`] = skillFile(first, 'Text 1.');
    await expect(run.ask({ text: 'Go.', skill: 'none' })).rejects.toThrow('There is no skill');
    files[`${second}/SKILL.md`] = skillFile(second, 'Text 2.');
    await run.ask('Go on.');
    expect(world.of('skill_activated').map(({ activation }) => activation.name)).toEqual(['pdf', 'mail', ...order]);
    await expectReplay(world);
  },
);

test('however skills change between requests, and whatever is asked, a run replays the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const files: Record<string, string> = {};
      const remove = (path: string): boolean => Reflect.deleteProperty(files, path);
      for (const name of names) files[`${name}/SKILL.md`] = skillFile(name, 'Text 0.');
      const replies: Reply[] = [];
      const world = agentWorld(replies, { files });
      let run = await startRun(world.ports, following);
      for (const [at, { edits, skill, reply, resume }] of steps.entries()) {
        for (const { name, what } of edits) {
          const path = `${name}/SKILL.md`;
          if (what === 'remove') remove(path);
          else if (what === 'break') files[path] = '---\nnothing';
          else {
            files[path] = skillFile(name, `Text ${what === 'describe' ? 0 : at + 1}.`, {
              ...(what === 'forbid' ? { 'disable-model-invocation': 'true' } : {}),
              ...(what === 'describe' ? { license: `L${at}` } : {}),
            });
          }
        }
        // By another process, whose registry has read nothing yet.
        const { registry } = agentWorld([], { files }).ports;
        if (resume) run = await resumeRun(recordOf(world), { ...world.ports, registry }, { autoReload: true });
        const before = world.model.requests.length;
        replies.splice(before);
        if (reply !== 'answer') replies.push(select(reply));
        replies.push(answer('Done.'));
        await run.ask({ text: `Request ${at}`, skill: resume ? undefined : skill }).catch((error: unknown) => {
          if (!SkillsError.is(error)) throw error;
        });
        expect(run.state).toStrictEqual(foldEvents(world.events));
      }
      await expectReplay(world);
    }),
    { numRuns: 100 },
  );
});
