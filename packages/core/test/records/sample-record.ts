import {
  chainStart,
  formatRunEvent,
  sealEvent,
  type KeptText,
  type RunEvent,
  type RunEventBody,
} from '../../src/index.js';
import { sha256 } from '../sha256.js';

const kept = (text: string): KeptText => ({ digest: sha256(text), size: Buffer.byteLength(text) });

/** What happens in a run, and in which run where it is a child's. */
export type Step = RunEventBody | { readonly run: string; readonly body: RunEventBody };

/** Seals what happened, a second apart. */
export function sealSteps(steps: readonly Step[], id = 'r1'): readonly RunEvent[] {
  const events: RunEvent[] = [];
  for (const step of steps) {
    const seq = events.length + 1;
    const { run, body } = 'body' in step ? step : { run: id, body: step };
    const at = new Date(Date.UTC(2026, 10, 22, 8, 0, seq)).toISOString();
    const prev = events.at(-1)?.hash ?? chainStart(id, sha256);
    events.push(sealEvent(body, { seq, run, at, prev }, sha256));
  }
  return events;
}

export const linesOf = (events: readonly RunEvent[]): string => events.map(formatRunEvent).join('');

const index = { hash: sha256('index'), skills: 2, kept: kept('index') };
const some = { turns: 1, toolCalls: 1, scripts: 0, tokens: 120, cost: 0.01, wallTime: 900, consecutiveFailures: 0 };
const limits = { ...some, tokens: Infinity };
const pdf = { name: 'pdf', location: '/skills/pdf' };
const runScript = {
  kind: 'run_script',
  skill: { name: 'pdf' },
  relative_path: 'scripts/text.mjs',
  args: ['a.pdf'],
} as const;
const startOf = (model: string): RunEventBody => ({
  type: 'run_started',
  formatVersion: 1,
  model,
  contextTokens: 8000,
  index,
  tools: ['read_file'],
  limits,
  system: kept('system'),
  options: { setup: kept('setup') },
});
const said = (text: string): RunEventBody => ({
  type: 'model_answered',
  text,
  usage: { inputTokens: 100, outputTokens: 20, cost: 0.01 },
  finish: 'stop',
});
const asked = (text: string): RunEventBody => ({
  type: 'model_requested',
  digest: sha256(text),
  tokens: 90,
  tools: ['read_file'],
  catalogue: { full: 2, short: 0, named: 0, hidden: 0 },
});

/** A run with an event of every type. */
export const everyStep: readonly Step[] = [
  startOf('scripted:a'),
  { type: 'request_received', request: { text: 'What does a.pdf say?', skill: 'pdf' } },
  { type: 'turn_started', turn: 1 },
  asked('one'),
  { type: 'model_failed', error: { code: 'NETWORK_ERROR', message: 'The server broke off.', hint: 'Try again.' } },
  asked('two'),
  said('{"action":{"kind":"select_skills"'),
  { type: 'decision_rejected', error: { code: 'INVALID_ACTION', message: 'It ends too early.' } },
  said('{"action":{"kind":"select_skills","skills":[{"name":"pdf"}],"reason":"it reads PDF"}}'),
  {
    type: 'plan_updated',
    how: 'replace',
    plan: {
      goal: 'Say what a.pdf says',
      steps: [
        { id: 's1', title: 'Read the skill', status: 'completed' },
        { id: 's2', title: 'Run its script', status: 'in_progress' },
      ],
      assumptions: ['The file is there'],
      constraints: { language: 'en' },
    },
  },
  {
    type: 'action_started',
    id: 'a1',
    action: { kind: 'select_skills', skills: [{ name: 'pdf', source: 'project' }], reason: 'it reads PDF' },
  },
  { type: 'skill_read', location: pdf.location, path: 'SKILL.md', kept: kept('body') },
  {
    type: 'skill_read',
    location: pdf.location,
    path: 'gone.md',
    error: { code: 'FILE_NOT_FOUND', message: 'There is no gone.md.' },
  },
  {
    type: 'skill_activated',
    activation: {
      ...pdf,
      scope: 'project',
      pack: undefined,
      digest: sha256('body'),
      by: 'model',
      reason: 'it reads PDF',
      turn: 1,
      tools: ['pdf_text'],
      unknownTools: ['Bash'],
      lines: { total: 40, shown: 40 },
      runMode: 'inline',
    },
  },
  {
    type: 'observation_recorded',
    id: 'a1',
    ok: true,
    content: 'The text of pdf',
    contentForUser: 'Read pdf.',
    output: { skill_name: 'pdf' },
    error: undefined,
    kept: [],
    duration: 3,
  },
  { type: 'turn_finished', turn: 1, spent: some },
  { type: 'turn_started', turn: 2 },
  { type: 'context_compacted', through: 9, before: 7000, after: 2000 },
  { type: 'action_started', id: 'a2', action: runScript },
  { type: 'skill_measured', location: pdf.location, digest: sha256('tree'), kept: kept('[]') },
  {
    type: 'approval_requested',
    request: {
      id: 'a2',
      tool: 'run_script',
      risk: 'medium',
      skill: pdf,
      summary: 'scripts/text.mjs a.pdf',
      input: {},
      digest: sha256('tree'),
      changes: { added: ['a.mjs'], removed: ['b.mjs'], changed: ['SKILL.md'], more: 2 },
      confinement: 'bubblewrap',
    },
  },
  { type: 'approval_decided', id: 'a2', decision: { kind: 'approved', scope: 'run', by: 'ada' } },
  {
    type: 'observation_recorded',
    id: 'a2',
    ok: false,
    content: 'exit code 3',
    contentForUser: undefined,
    output: { exit_code: 3, runner: 'process' },
    error: { code: 'EXIT_NONZERO', message: 'scripts/text.mjs ended with 3.' },
    kept: [{ name: 'stdout', ...kept('out') }],
    duration: 1_250,
  },
  { type: 'turn_finished', turn: 2, spent: some },
  { type: 'tool_judged', id: 'a3', verdict: 'refuse', by: 'skill' },
  { type: 'skill_measured', location: pdf.location, error: { code: 'FILE_TOO_LARGE', message: 'It is too large.' } },
  { type: 'skill_disabled', name: 'docx', reason: 'not needed' },
  { type: 'skill_enabled', name: 'docx' },
  { type: 'index_changed', index: { ...index, skills: 3 } },
  { type: 'subagent_started', action: 'a3', child: 'r1/1', skill: 'report' },
  { run: 'r1/1', body: { ...startOf('scripted:a'), parent: { run: 'r1', action: 'a3' } } as RunEventBody },
  { run: 'r1/1', body: { type: 'run_finished' } },
  { type: 'subagent_finished', action: 'a3', child: 'r1/1', stop: 'final_answer', spent: some },
  {
    type: 'run_resumed',
    after: 23,
    uncertain: { id: 'a4', action: { kind: 'call_tool', tool: 'write_file', input: { path: 'x' } } },
  },
  { type: 'request_answered', stop: 'final_answer', degraded: false, answer: 'It says hello.' },
  { type: 'run_finished' },
];
