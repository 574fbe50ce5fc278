import { isAbsolute, join } from 'node:path';
import { visibleText, type ApprovalDecision, type ApprovalRequest, type SkillChanges } from '@skillpack/core';
import { shortened } from '../render/shortened.js';
import { someOf } from '../render/some-of.js';
import { describeUse, type DescribedUse } from './describe-use.js';
import type { Person } from './person.js';

/** What a person is told besides what is asked. */
export interface QuestionPorts {
  /** Names of tools that start programs: of these it is said how far they are confined. `run_script` is one anyway. */
  readonly programs: readonly string[];
  /** What a program that is started here can write. */
  readonly workspace: string;
  /** What a program can do here that a sandbox would keep from it, in words behind “it can”. @default nothing */
  readonly leaves?: readonly string[] | undefined;
  /** Why nothing confines a program here, and what to do about that, in sentences. @default nothing is said of it */
  readonly unconfined?: string | undefined;
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

/** How many abilities of a program that nothing confines a question has room for. */
const mostAbilities = 3;

/**
 * Asks the person at the terminal: what would be done, on whose behalf, how far it is confined, and what differs from
 * what they allowed before. A yes holds once, or for the run; in a chat, which is one run, that is the session. What is
 * no answer is asked about once more.
 *
 * @param ports.note what else there is to say of it, in a sentence.
 */
export async function askForYes(
  request: ApprovalRequest,
  ports: QuestionPorts & { readonly person: Person; readonly note?: string | undefined },
  options: { readonly signal?: AbortSignal | undefined },
): Promise<ApprovalDecision> {
  const use = describeUse(request);
  const length = [...use.lines, ...(use.all ?? [])].join('\n').length;
  if (length > longestInput) {
    const reason = `It has ${length} characters; a person is shown at most ${longestInput} before they say yes.`;
    return { kind: 'denied', reason, by: 'terminal' };
  }
  const answer = await answerTo({ request, use, subject: await subjectOf(request, ports) }, ports, options);
  switch (answer) {
    case 'yes':
      return { kind: 'approved', scope: 'once', by: 'person' };
    case 'always':
      return { kind: 'approved', scope: ports.chat === true ? 'session' : 'run', by: 'person' };
    case 'gone':
      return { kind: 'unavailable', reason: 'The person went away.' };
    case 'no':
      return { kind: 'denied', reason: 'The person said no.', by: 'person' };
    case 'unclear':
      return { kind: 'denied', reason: 'The person did not say yes.', by: 'person' };
  }
}

type Answer = 'yes' | 'always' | 'no' | 'gone' | 'unclear';

interface Question {
  readonly request: ApprovalRequest;
  readonly use: DescribedUse;
  readonly subject: string;
}

async function answerTo(
  question: Question,
  ports: Parameters<typeof askForYes>[1],
  options: { readonly signal?: AbortSignal | undefined },
): Promise<Answer> {
  const { request, use } = question;
  const lasting = `${whatOf(request)} [a]lways in this ${ports.chat === true ? 'chat' : 'run'}`;
  const choose = (more: string): string => `Allow it? [y]es, [n]o, ${more}${lasting}: `;
  let shown = use.all === undefined || use.needsAll === true;
  let text = `${textOf(question, ports, use.needsAll === true)}\n${choose(shown ? '' : '[s]how all, ')}`;
  let unclear = 0;
  while (unclear < 2) {
    const line = await ports.person.ask(text, options);
    const answer = line === undefined ? 'gone' : meaningOf(line);
    if (answer === 'show' && !shown) {
      shown = true;
      text = `${textOf(question, ports, true)}\n${choose('')}`;
    } else if (answer !== undefined && answer !== 'show') return answer;
    else {
      unclear += 1;
      const none = line === '' ? 'Nothing was typed' : `“${shortened(visibleText(line ?? ''), 40)}” is no answer`;
      text = `${none}; without one, it is not done.\n${choose(shown ? '' : '[s]how all, ')}`;
    }
  }
  return 'unclear';
}

function meaningOf(line: string): Exclude<Answer, 'unclear' | 'gone'> | 'show' | undefined {
  const words = { y: 'yes', n: 'no', a: 'always', s: 'show' } as const;
  const typed = line.toLowerCase();
  return Object.values(words).find((word) => word === typed || (typed.length === 1 && word.startsWith(typed)));
}

/** Where a terminal has too few lines for all of it, the last ones are in sight: who asks, and how far it is confined. */
function textOf({ request, use, subject }: Question, ports: Parameters<typeof askForYes>[1], whole: boolean): string {
  const above = whole && use.all !== undefined ? ['What is to be allowed, all of it:', ...use.all.map(indented)] : [];
  return [
    ...above,
    `${subject} ${risks[request.risk]}:`,
    `  ${use.title}`,
    ...(whole ? [] : use.lines.map(indented)),
    ...fileOf(request),
    ...confinementOf(request, ports),
    ...changesOf(request.changes),
    ...(ports.note === undefined ? [] : [visibleText(ports.note)]),
  ].join('\n');
}

function indented(line: string): string {
  return `  ${line}`;
}

/** Where the script lies that would be run, so that it can be read first. */
function fileOf({ action, skill, input }: ApprovalRequest): readonly string[] {
  if (action !== 'run_script' || skill === undefined || !isAbsolute(skill.location)) return [];
  const path =
    typeof input === 'object' && input !== null && 'relative_path' in input ? input.relative_path : undefined;
  return typeof path === 'string' ? [`To read it first: ${visibleText(join(skill.location, path))}`] : [];
}

async function subjectOf({ action, tool, skill }: ApprovalRequest, { originOf }: QuestionPorts): Promise<string> {
  const what = action === 'call_tool' && tool === 'run_script' ? 'the tool run_script' : visibleText(tool);
  if (skill === undefined) return what;
  const origin = await originOf(skill.location);
  const where = [...(origin === undefined ? [] : [origin]), skill.location].map(visibleText).join(', ');
  return `${what} of the skill ${visibleText(skill.name)} (${where})`;
}

function whatOf({ action, tool, skill, covers }: ApprovalRequest): string {
  if (covers === 'input') return `just this ${visibleText(tool)}`;
  return skill === undefined || action !== 'run_script'
    ? `any ${visibleText(tool)}`
    : `any script of ${visibleText(skill.name)}`;
}

function confinementOf(
  { action, tool, confinement }: ApprovalRequest,
  { programs, workspace, leaves = [], unconfined }: QuestionPorts,
): readonly string[] {
  if (action !== 'run_script' && !programs.includes(tool)) return [];
  if (confinement === undefined) {
    return [
      'NOT confined: it can do whatever you can do, and read whatever you can read.',
      ...(leaves.length === 0 ? [] : [`It can ${someOf(leaves.map(visibleText), mostAbilities)}.`]),
      ...(unconfined === undefined ? [] : [visibleText(unconfined)]),
    ];
  }
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
