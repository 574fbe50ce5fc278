/*
 * A run that is killed in the middle, goes on in another process, and is done again from its record alone.
 * `node examples/resume-a-run.ts`, with Node 22.19 or newer, after `npx -y pnpm@12 build`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSkillRegistry, memorySkills, replayRun, resumeRun, runAgent, type RunJournal } from '@skillpack/core';
import { scripted } from '@skillpack/model-adapters';
import { openRunFolder, sha256, systemClock } from '@skillpack/runs-fs';

/** What the agent works with; the same before and after. */
function portsWith(journal: RunJournal) {
  const tea = '---\nname: tea\ndescription: Makes tea.\n---\nPour at 95 °C; wait four minutes.\n';
  return {
    registry: createSkillRegistry(memorySkills({ 'tea/SKILL.md': tea }), { sha256 }),
    model: scripted({
      rules: [
        {
          when: { skillInactive: 'tea' },
          reply: { action: { kind: 'select_skills', skills: [{ name: 'tea' }], reason: 'It makes tea.' } },
        },
        {
          when: { saw: /wait (\w+ minutes)/u },
          reply: { action: { kind: 'final_answer', content: 'It takes $1.' } },
        },
      ],
    }),
    clock: systemClock,
    journal,
    sha256,
  };
}

const [folderOfParent] = process.argv.slice(2);
if (folderOfParent === undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-example-'));
  try {
    await killed(folder);
    await goOn(folder);
    await again(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
} else {
  await begin(folderOfParent);
}

/** The child: it never comes to its answer. */
async function begin(folder: string): Promise<void> {
  const journal = await openRunFolder(folder).create('tea');
  await runAgent('How long does tea take?', portsWith(journal), {
    id: journal.id,
    onEvent: (event) => {
      if (event.type === 'turn_started' && event.turn === 2) process.kill(process.pid, 'SIGKILL');
    },
  });
}

async function killed(folder: string): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename, folder], { stdio: 'inherit' });
  await once(child, 'exit');
  const { events } = await openRunFolder(folder).read('tea');
  console.log(`killed after ${events.length} events, the last of them ${events.at(-1)?.type}`);
}

async function goOn(folder: string): Promise<void> {
  const { journal, ...record } = await openRunFolder(folder).resume('tea');
  const run = await resumeRun(record, portsWith(journal));
  const answer = await run.goOn();
  await run.finish();
  const { resumed } = await journal.finish();
  console.log(`resumed ${resumed} time, and answered: ${answer?.text}`);
}

/** Nothing is called: what the model, the skills and the clock said is in the record. */
async function again(folder: string): Promise<void> {
  const record = await openRunFolder(folder).read('tea');
  const report = await replayRun(record, { sha256 });
  console.log(report.same ? `the same ${report.events} events again` : `event ${report.at}: ${report.reason}`);
}
