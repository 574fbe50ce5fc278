import {
  quoted,
  SkillsError,
  visibleLines,
  visibleText,
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
} from '@skillpack/core';
import type { Person } from './person.js';

/** What can be approved, and who can be asked. */
export interface ApproverPorts {
  /** Names of what may need a yes. */
  readonly tools: readonly string[];
  /** `undefined` where there is no terminal. */
  readonly person: Person | undefined;
}

/**
 * Who says yes: `ask` asks the person at the terminal, `never` nobody, and names of tools are a yes to these, for the
 * run. What is left out is `ask` on a terminal, else `never`.
 *
 * @throws `USAGE` for the name of a tool that nothing needs a yes for.
 */
export function chooseApprover(approve: string | undefined, { tools, person }: ApproverPorts): Approver {
  const mode = approve ?? (person === undefined ? 'never' : 'ask');
  if (mode === 'ask' && person !== undefined)
    return { decide: async (request, how) => askPerson(request, person, how) };
  const approved = mode === 'ask' || mode === 'never' ? new Set<string>() : readTools(mode, tools);
  return {
    decide: async ({ action, tool }) => {
      // A tool may be called as the action is that runs scripts, of which the name speaks here.
      if (action === 'call_tool' && tool === 'run_script') {
        return {
          kind: 'unavailable',
          reason: 'Nobody can be asked; --approve run_script allows scripts, and no tool.',
        };
      }
      return approved.has(tool)
        ? { kind: 'approved', scope: 'run', by: '--approve' }
        : { kind: 'unavailable', reason: `Nobody can be asked; --approve ${tool} would allow it.` };
    },
  };
}

function readTools(list: string, tools: readonly string[]): ReadonlySet<string> {
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !tools.includes(name));
  if (unknown === undefined) return new Set(names);
  throw new SkillsError('USAGE', `--approve names ${quoted(unknown)}, which nothing needs a yes for.`, {
    hint: `It is never, ask, or a list of ${tools.join(', ')}.`,
    data: { value: list, tools },
  });
}

const risks = { low: 'reads only', medium: 'runs code', high: 'may change or send something' } as const;

/** Characters of what would be done, beyond which nobody reads it before they say yes. */
const longestInput = 20_000;

async function askPerson(
  { action, tool, risk, skill, summary, input }: ApprovalRequest,
  person: Person,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<ApprovalDecision> {
  const all = /\[… \d+ characters left out …\]/u.test(summary) ? indented(input) : '';
  if (all.length > longestInput) {
    const reason = `It has ${all.length} characters; a person is shown at most ${longestInput} before they say yes.`;
    return { kind: 'denied', reason, by: 'terminal' };
  }
  const of = skill === undefined ? '' : ` of the skill ${visibleText(skill.name)} (${visibleText(skill.location)})`;
  const always =
    skill === undefined || action !== 'run_script'
      ? `any ${visibleText(tool)}`
      : `any script of ${visibleText(skill.name)}`;
  const what = action === 'call_tool' && tool === 'run_script' ? 'the tool run_script' : visibleText(tool);
  const question = `${what}${of} ${risks[risk]}:\n  ${visibleText(summary)}\n${all}Allow it? [y]es, [n]o, ${always} [a]lways in this run: `;
  const answer = (await person.ask(question, options))?.toLowerCase();
  if (answer === 'y' || answer === 'yes') return { kind: 'approved', scope: 'once', by: 'person' };
  if (answer === 'a' || answer === 'always') return { kind: 'approved', scope: 'run', by: 'person' };
  if (answer === undefined) return { kind: 'unavailable', reason: 'The person went away.' };
  return { kind: 'denied', reason: 'The person said no.', by: 'person' };
}

/** A line for each part of it, so that nothing is out of sight. */
function indented(input: unknown): string {
  const text = visibleLines(JSON.stringify(input, null, 2));
  return `All of it:\n${text.replaceAll(/^/gmu, '  ')}\n`;
}
