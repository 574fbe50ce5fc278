import {
  visibleLines,
  visibleText,
  type ApprovalDecision,
  type ApprovalRequest,
  type SkillChanges,
} from '@skillpack/core';
import { shortened } from '../render/shortened.js';
import type { Person } from './person.js';

/** What a person is told besides what is asked. */
export interface QuestionPorts {
  /** Names of tools that start programs: of these it is said how far they are confined. `run_script` is one anyway. */
  readonly programs: readonly string[];
  /** What a program that is started here can write. */
  readonly workspace: string;
  /** What a program can do in spite of what confines it, in words behind “it can”. @default nothing */
  readonly leaves?: readonly string[] | undefined;
  /** Whether the run is a chat: then a yes that lasts is one for the chat. @default false */
  readonly chat?: boolean | undefined;
  /** Where a skill comes from, in a few words: `acme/pdf 1.2.0`; `undefined` where no pack brought it. */
  readonly originOf: (location: string) => Promise<string | undefined>;
}

const risks = { low: 'reads only', medium: 'runs code', high: 'may change or send something' } as const;

/** Characters of what would be done, beyond which nobody reads it before they say yes. */
const longestInput = 20_000;
/** How many files that differ are named of each kind. */
const mostFiles = 5;
const longestPath = 120;

/**
 * Asks the person at the terminal: what would be done, on whose behalf, how far it is confined, and what differs from
 * what they allowed before. A yes holds once, or for the run; in a chat, which is one run, that is the session.
 */
export async function askForYes(
  request: ApprovalRequest,
  ports: QuestionPorts & { readonly person: Person },
  options: { readonly signal?: AbortSignal | undefined },
): Promise<ApprovalDecision> {
  const { summary, input } = request;
  const all = /\[… \d+ characters left out …\]/u.test(summary) ? indented(input) : '';
  if (all.length > longestInput) {
    const reason = `It has ${all.length} characters; a person is shown at most ${longestInput} before they say yes.`;
    return { kind: 'denied', reason, by: 'terminal' };
  }
  // Where a terminal has too few lines for all of it, the last ones are in sight: who asks, and how far it is confined.
  const question = [
    ...(all === '' ? [] : [all]),
    `${await subjectOf(request, ports)} ${risks[request.risk]}:`,
    `  ${visibleText(summary)}`,
    ...confinementOf(request, ports),
    ...changesOf(request.changes),
    `Allow it? [y]es, [n]o, ${whatOf(request)} [a]lways in this ${ports.chat === true ? 'chat' : 'run'}: `,
  ].join('\n');
  const answer = (await ports.person.ask(question, options))?.toLowerCase();
  if (answer === 'y' || answer === 'yes') return { kind: 'approved', scope: 'once', by: 'person' };
  if (answer === 'a' || answer === 'always') {
    return { kind: 'approved', scope: ports.chat === true ? 'session' : 'run', by: 'person' };
  }
  if (answer === undefined) return { kind: 'unavailable', reason: 'The person went away.' };
  return { kind: 'denied', reason: 'The person said no.', by: 'person' };
}

async function subjectOf({ action, tool, skill }: ApprovalRequest, { originOf }: QuestionPorts): Promise<string> {
  const what = action === 'call_tool' && tool === 'run_script' ? 'the tool run_script' : visibleText(tool);
  if (skill === undefined) return what;
  const origin = await originOf(skill.location);
  const where = [...(origin === undefined ? [] : [origin]), skill.location].map(visibleText).join(', ');
  return `${what} of the skill ${visibleText(skill.name)} (${where})`;
}

function whatOf({ action, tool, skill }: ApprovalRequest): string {
  return skill === undefined || action !== 'run_script'
    ? `any ${visibleText(tool)}`
    : `any script of ${visibleText(skill.name)}`;
}

function confinementOf(
  { action, tool, confinement }: ApprovalRequest,
  { programs, workspace, leaves = [] }: QuestionPorts,
): readonly string[] {
  if (action !== 'run_script' && !programs.includes(tool)) return [];
  if (confinement === undefined)
    return ['NOT confined: it can do whatever you can do, and read whatever you can read.'];
  const nonetheless = leaves.length === 0 ? '' : ` It can ${leaves.map(visibleText).join(', ')} all the same.`;
  return [
    `In a sandbox (${visibleText(confinement)}): no network, it writes only to ${visibleText(workspace)}.${nonetheless}`,
  ];
}

function changesOf(changes: SkillChanges | undefined): readonly string[] {
  if (changes === undefined) return [];
  const { added, removed, changed, more = 0 } = changes;
  const lines = [listOf('changed', changed), listOf('added', added), listOf('removed', removed)].flat();
  const others = more === 0 ? [] : [`  and ${more} more`];
  return ['The skill is not what you allowed before:', ...lines, ...others];
}

function listOf(how: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const names = paths.slice(0, mostFiles).map((path) => shortened(visibleText(path), longestPath));
  const more = paths.length - names.length;
  return [`  ${how}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

/** A line for each part of it, so that nothing is out of sight. */
function indented(input: unknown): string {
  const text = visibleLines(JSON.stringify(input, null, 2));
  return `What is to be allowed, all of it:\n${text.replaceAll(/^/gmu, '  ')}`;
}
