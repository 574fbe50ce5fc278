/*
 * An agent of one's own in twenty-five lines: skills from a folder, a yes for each script of a skill, which runs in a
 * sandbox where one works. `node examples/agent.ts`, with Node 22.19 or newer, after `npx -y pnpm@12 build`.
 *
 * The model goes by a script here. A real one is one line: `anthropic({ apiKey, model: 'claude-…' })`.
 */
import { resolve } from 'node:path';
import { createMemoryJournal, createSkillRegistry, runAgent, type Approver } from '@skillpack/core';
import { scripted } from '@skillpack/model-adapters';
import { folderSkills } from '@skillpack/registry-fs';
import { sha256, systemClock } from '@skillpack/runs-fs';
import { createProcessRunner, findSandbox } from '@skillpack/tools-shell';

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
  async decide({ skill: asking, summary, confinement = 'no' }) {
    console.log(`${asking?.name} asks to run ${summary}, confined: ${confinement}`); // Ask a person here.
    return { kind: 'approved', scope: 'once', by: 'example' };
  },
};
const machine = { environment: process.env };
const { sandbox } = await findSandbox(machine, { workspace: process.cwd() });
const runner = createProcessRunner(machine, { workspace: process.cwd(), sandbox });
const ports = { registry, model, approver, runner, sha256, clock: systemClock, journal: createMemoryJournal(sha256) };

const { text, state } = await runAgent('Which month was the wettest on Tollan Ridge?', ports, { id: 'rain' });
console.log(text);
console.log(`skills used: ${state.activations.map(({ name }) => name).join(', ')}`);
