import { escapedJson } from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../../case/eval-case.js';
import type { ExportedSuite } from './exported-suite.js';
import { dropFields, ExportLog } from './export-log.js';

/** A list of queries that say whether one skill is to be used. */
export function exportTriggerList(suite: EvalSuite): ExportedSuite {
  const log = new ExportLog();
  const wanted = suite.cases.flatMap(({ expected: { skills } }) => [
    ...(skills?.allOf ?? []),
    ...(skills?.anyOf ?? []),
  ]);
  const [skill = wanted[0] ?? suite.name, ...others] = suite.skills;
  if (others.length > 0)
    log.tellAll('changed', `The list is about one skill: ${skill}. The suite is also about ${others.join(', ')}.`);
  const queries = suite.cases.flatMap((each, index) => {
    if (each.kind === 'trigger') return query(each, { index, skill, log });
    log.tell('dropped', { each, index, path: '' }, 'A task belongs in a file of evals.');
    return [];
  });
  return { fileName: 'trigger-evals.json', text: `${escapedJson(queries, 2)}\n`, files: [], notes: log.notes };
}

interface QueryExport {
  readonly index: number;
  readonly skill: string;
  readonly log: ExportLog;
}

function query(each: EvalCase, { index, skill, log }: QueryExport): readonly object[] {
  const { anyOf = [], allOf = [], none, others = true } = each.expected.skills ?? {};
  const wanted = [...allOf, ...anyOf];
  const refused = none === true || (none ?? []).includes(skill);
  const part = { each, index, path: 'expected.skills' };
  if (!wanted.includes(skill) && !refused && wanted.length === 0) {
    log.tell('dropped', { each, index, path: '' }, `It says nothing of ${skill}.`);
    return [];
  }
  const more = wanted.filter((name) => name !== skill);
  if (more.length > 0)
    log.tell('changed', part, `The list says nothing of ${more.join(', ')}, only whether ${skill} is to be used.`);
  const kept = (none === true ? ['every skill'] : (none ?? [])).filter((name) => name !== skill);
  if (kept.length > 0 || !others)
    log.tell(
      'changed',
      part,
      `The list does not say which other skills are not to be used${kept.length > 0 ? `: ${kept.join(', ')}` : ''}.`,
    );
  dropFields(log, { each, index }, ['files', 'offer', 'limits', 'trials', 'script', 'actions', 'output']);
  const [line] = each.conversation;
  return [
    {
      id: each.id,
      query: line?.input ?? '',
      should_trigger: wanted.includes(skill),
      ...(each.title === undefined ? {} : { note: each.title }),
      ...(each.tags.length === 0 ? {} : { tags: each.tags }),
    },
  ];
}
