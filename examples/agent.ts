/*
 * An agent of one's own in thirty lines: skills from a folder, a model that goes by a script, a yes for each script of a
 * skill, which runs in a sandbox where one works, a record on the disk. `node examples/agent.ts`, after `pnpm build`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSkillRegistry, runAgent, type Approver } from '@skillpack/core';
import { scripted } from '@skillpack/model-adapters';
import { folderSkills } from '@skillpack/registry-fs';
import { openRunFolder, sha256, systemClock } from '@skillpack/runs-fs';
import { createProcessRunner, findSandbox } from '@skillpack/tools-shell';

const folder = await mkdtemp(join(tmpdir(), 'skillpack-example-'));
const skills = folderSkills([{ path: resolve('skills-builtin'), scope: 'builtin' }], performance);
const registry = createSkillRegistry(skills, { sha256 });

const skill = { name: 'pdf' };
const script = { relative_path: 'scripts/pdf.mjs', args: ['text', 'skills-builtin/pdf/assets/sample.pdf'] };
const model = scripted({
  rules: [
    { when: { turn: 1 }, reply: { action: { kind: 'select_skills', skills: [skill], reason: 'It reads PDF.' } } },
    { when: { turn: 2 }, reply: { action: { kind: 'run_script', skill, ...script } } },
    { when: { observation: /(The wettest.*?mm)/u }, reply: { action: { kind: 'final_answer', content: '$1.' } } },
  ],
});
const approver: Approver = {
  async decide(request) {
    console.log(`${request.skill?.name} asks to run ${request.summary}, confined: ${request.confinement ?? 'no'}`); // Ask a person here.
    return { kind: 'approved', scope: 'once', by: 'example' };
  },
};
const [environment, workspace] = [process.env, process.cwd()];
const { sandbox } = await findSandbox({ environment }, { workspace });
const runner = createProcessRunner({ environment }, { workspace, sandbox });
const journal = await openRunFolder(join(folder, 'runs')).create('rain');
const ports = { registry, model, approver, runner, journal, sha256, clock: systemClock };

const answer = await runAgent('Which month was the wettest on Tollan Ridge?', ports, { id: journal.id });
console.log(answer.text);
const { events, skills: used } = await journal.finish();
console.log(`${events} events, skills used: ${used.map(({ name }) => name).join(', ')}`);
await rm(folder, { recursive: true });
