import { escapedJson } from '@skillpack/core';
import type { EvalCase, EvalFile, EvalSuite } from '../../case/eval-case.js';
import type { ExpectedSkills, OutputCheck } from '../../case/expectations.js';
import { describeCheck } from '../../check/output/describe-check.js';
import { describeRule } from '../../check/rules/describe-rule.js';
import type { ExportedSuite } from './exported-suite.js';
import { expectedOutputText } from '../import-evals-json.js';
import { dropFields, ExportLog, type CasePart } from './export-log.js';

/** `evals.json`: tasks with statements for a judge. */
export function exportEvalsJson(suite: EvalSuite, dialect: 'agentskills' | 'skill-creator'): ExportedSuite {
  const log = new ExportLog();
  const files = new Map<string, EvalFile>();
  const [skill = suite.name, ...others] = suite.skills;
  if (others.length > 0)
    log.tellAll('changed', `The file is about one skill: ${skill}. The suite is also about ${others.join(', ')}.`);
  const evals = suite.cases.flatMap((each, index) => {
    if (each.kind === 'task') return [task(each, { index, dialect, log, files })];
    log.tell(
      'dropped',
      { each, index, path: '' },
      'A case that asks for the choice of skills belongs in a list of queries.',
    );
    return [];
  });
  const text = `${escapedJson({ skill_name: skill, evals }, 2)}\n`;
  return { fileName: 'evals.json', text, files: [...files.values()], notes: log.notes };
}

interface TaskExport {
  readonly index: number;
  readonly dialect: 'agentskills' | 'skill-creator';
  readonly log: ExportLog;
  readonly files: Map<string, EvalFile>;
}

function task(each: EvalCase, { index, dialect, log, files }: TaskExport): object {
  const part = (path: string): CasePart => ({ each, index, path });
  const creator = dialect === 'skill-creator';
  dropFields(log, { each, index }, [
    ...(creator ? [] : (['title'] as const)),
    'tags',
    'offer',
    'limits',
    'trials',
    'script',
  ]);
  if (each.conversation.length > 1)
    log.tell('changed', part('conversation'), 'The lines of the conversation are one prompt.');
  const { output, actions, skills } = each.expected;
  const described = output.findIndex(
    (check) => check.kind === 'rubric' && !check.negated && check.text?.startsWith(expectedOutputText) === true,
  );
  const whole = output[described];
  const statements = [
    ...skillStatements(skills, () => log.tell('changed', part('expected.skills'), asStatement)),
    ...actions.map((rule, at) => {
      log.tell('changed', part(`expected.actions.${at}`), asStatement);
      return sentence(describeRule(rule));
    }),
    ...output.flatMap((check, at) =>
      at === described
        ? []
        : [statementOf(check, () => log.tell('changed', part(`expected.output.${at}`), asStatement))],
    ),
  ];
  const names = each.files.map((file) =>
    fileName(file, each, { files, tell: (message) => log.tell('changed', part('files'), message) }),
  );
  return {
    id: /^(?:0|[1-9]\d{0,14})$/u.test(each.id) ? Number(each.id) : each.id,
    ...(creator && each.title !== undefined ? { name: each.title } : {}),
    prompt: each.conversation.map(({ input }) => input).join('\n\n'),
    ...(whole?.kind === 'rubric' ? { expected_output: whole.statement } : {}),
    ...(names.length === 0 ? {} : { files: names }),
    ...(statements.length === 0 ? {} : { [creator ? 'expectations' : 'assertions']: statements }),
  };
}

const asStatement = 'It is a statement for a judge there, in words.';

function statementOf(check: OutputCheck, changed: () => void): string {
  if (check.kind === 'rubric' && !check.negated) return check.statement;
  changed();
  const said = describeCheck({ ...check, text: undefined });
  return sentence(
    check.kind === 'json' && check.schema !== undefined ? `${said} ${JSON.stringify(check.schema)}` : said,
  );
}

function skillStatements(skills: ExpectedSkills | undefined, changed: () => void): readonly string[] {
  if (skills === undefined) return [];
  changed();
  const { anyOf = [], allOf = [], none, others = true } = skills;
  return [
    ...allOf.map((name) => `The skill ${name} is used.`),
    ...(anyOf.length === 0 ? [] : [`One of the skills ${anyOf.join(', ')} is used.`]),
    ...(none === true ? ['No skill is used.'] : (none ?? []).map((name) => `The skill ${name} is not used.`)),
    ...(others ? [] : ['No other skill is used.']),
  ];
}

/** Where a file lies relative to the skill; those of two cases that have one path and other bytes lie apart. */
function fileName(
  { path, bytes }: EvalFile,
  { id }: EvalCase,
  { files, tell }: { readonly files: Map<string, EvalFile>; readonly tell: (message: string) => void },
): string {
  const shared = `evals/files/${path}`;
  const there = files.get(shared);
  const name = there === undefined || isSame(there.bytes, bytes) ? shared : `evals/files/${id}/${path}`;
  if (name !== shared) tell(`Another case has another file ${path}: this one lies in a folder of its own.`);
  files.set(name, { path: name, bytes });
  return name;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?”]$/u.test(text) ? '' : '.'}`;
}
