import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSkillRegistry,
  memorySkills,
  resumeRun,
  startRun,
  type AgentPorts,
  type ModelAdapter,
  type ModelRequest,
  type RunJournal,
} from '@skillpack/core';
import { openRunFolder } from '../../src/open-run-folder.js';
import { systemClock } from '../../src/system-clock.js';
import type { OpenRun } from '../../src/run-folder.js';
import { sha256 } from '../../src/sha256.js';

/** What a process does to the record of the run `r1`. */
export interface RecordedTask {
  readonly root: string;
  /** The call of the journal, from 1, before which the process kills itself. @default none */
  readonly dieBefore?: number | undefined;
  /** Whether a part of a line is written before that. @default false */
  readonly tear?: boolean | undefined;
  /** A file that gets a line with each call of the model. @default none */
  readonly marks?: string | undefined;
  /** Whether the run is there already, and goes on. @default false */
  readonly resume?: boolean | undefined;
}

export const question = 'What does a.pdf say?';
export const finalText = 'It says hello.';

const files = {
  'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF.\n---\n# Forms\nRead references/forms.md.\n',
  'pdf/references/forms.md': '# Forms\nFill them with care.\n',
};

/** Decides from the conversation alone, so that it makes no difference in which process it is asked. */
const model: ModelAdapter = {
  name: 'test:conversation',
  contextTokens: 100_000,
  decide: async (request) => ({
    text: JSON.stringify({ action: decide(request) }),
    usage: { inputTokens: 10, outputTokens: 5 },
    finish: 'stop',
  }),
};

function decide({ messages }: ModelRequest): object {
  const seen = (text: string): boolean =>
    messages.some(({ role, content }) => role === 'observation' && content.includes(text));
  if (!seen('Read references')) return { kind: 'select_skills', skills: [{ name: 'pdf' }], reason: 'It fits.' };
  if (!seen('Fill them'))
    return { kind: 'load_resource', skill: { name: 'pdf' }, relative_path: 'references/forms.md' };
  if (!seen('noted')) return { kind: 'call_tool', tool: 'note', input: { text: 'hello' } };
  return { kind: 'final_answer', content: finalText };
}

export function portsFor(journal: RunJournal): AgentPorts {
  const outputs = [{ name: 'note.txt', bytes: new TextEncoder().encode('What was noted.') }];
  const run = async () => ({ ok: true, content: 'noted', output: {}, outputs, started: 0, ended: 0, duration: 0 });
  return {
    registry: createSkillRegistry(memorySkills(files), { sha256 }),
    model,
    journal,
    clock: systemClock,
    sha256,
    tools: [{ name: 'note', description: 'Notes.', inputSchema: { type: 'object' }, risk: 'low', run }],
  };
}

/** Carries a task out to its end, or to the death of the process. */
export async function carryOut(task: RecordedTask): Promise<void> {
  const runs = openRunFolder(task.root);
  if (task.resume === true) {
    const record = await runs.resume('r1');
    if (record.events.at(-1)?.type === 'run_finished') {
      await record.journal.finish();
      return;
    }
    const run = await resumeRun(record, portsFor(mortal(record.journal, task)));
    if (run.state.request === undefined) await run.ask(question);
    else await run.goOn();
    await run.finish();
    await record.journal.finish();
    return;
  }
  const journal = await runs.create('r1');
  const ports = portsFor(mortal(journal, task));
  // What every death takes with it counts.
  const limits = { turns: 200, toolCalls: 200 };
  const run = await startRun({ ...ports, model: marking(ports.model, task) }, { id: 'r1', limits });
  await run.ask(question);
  await run.finish();
  await journal.finish();
}

function marking(marked: ModelAdapter, { marks }: RecordedTask): ModelAdapter {
  if (marks === undefined) return marked;
  return {
    ...marked,
    decide: async (request, options) => {
      appendFileSync(marks, 'The model is called.\n');
      return marked.decide(request, options);
    },
  };
}

function mortal(journal: OpenRun, { dieBefore, tear = false }: RecordedTask): RunJournal {
  let calls = 0;
  const count = (): void => {
    calls += 1;
    if (calls !== dieBefore) return;
    if (tear) appendFileSync(join(journal.folder, 'events.jsonl'), '{"at":"2026-11-22T0');
    process.kill(process.pid, 'SIGKILL');
  };
  return {
    append: async (event) => {
      count();
      await journal.append(event);
    },
    keep: async (bytes) => {
      count();
      return journal.keep(bytes);
    },
    sync: async () => {
      count();
      await journal.sync();
    },
  };
}

const [, , words] = process.argv;
if (words?.startsWith('{"root"') === true) await carryOut(JSON.parse(words) as RecordedTask);
