import type { OutputCheck } from '../../case/expectations.js';
import { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import { readForeignFile } from '../import-files.js';
import { readForeign } from '../read-foreign.js';
import { adkRubrics } from './adk-rubrics.js';

/** What an evalset is measured by. */
export interface AdkCriteria {
  /** `undefined`: the calls of tools do not count. */
  readonly trajectory:
    | { readonly match: 'exact' | 'in_order' | 'any_order'; readonly ignoreArguments: boolean }
    | undefined;
  /** The least ROUGE-1 of an answer; `undefined`: it does not count. */
  readonly response: number | undefined;
  /** Whether a judge says that the answer means the same. */
  readonly sameMeaning: boolean;
  /** Rubrics that hold for all cases. */
  readonly rubrics: readonly OutputCheck[];
}

const byDefault: AdkCriteria = {
  trajectory: { match: 'exact', ignoreArguments: false },
  response: 0.8,
  sameMeaning: false,
  rubrics: [],
};

const place = 'test_config.json';

/** The criteria beside an evalset; those that ADK goes by where there is no such file. */
export async function adkCriteria(context: ImportContext): Promise<AdkCriteria> {
  const bytes = context.files === undefined ? '' : await readForeignFile(place, context);
  if (typeof bytes === 'string') return byDefault;
  const root = new ForeignValue(readForeign(new TextDecoder().decode(bytes), place), place);
  const criteria = root.field('criteria');
  const read = criteria?.object === undefined ? byDefault : criteriaOf(criteria, context);
  for (const value of root.left()) context.notes.drop(value, '');
  return read;
}

function criteriaOf(criteria: ForeignValue, context: ImportContext): AdkCriteria {
  const rubrics = criteria
    .fields()
    .flatMap(([name, value]) => (name.startsWith('rubric_based_') ? adkRubrics(value.field('rubrics'), context) : []));
  const meaning = criteria.field('final_response_match_v2', 'finalResponseMatchV2');
  const threshold = meaning === undefined ? undefined : thresholdOf(meaning);
  return {
    trajectory: trajectoryOf(criteria.field('tool_trajectory_avg_score', 'toolTrajectoryAvgScore'), context),
    response: responseOf(criteria.field('response_match_score', 'responseMatchScore')),
    sameMeaning: meaning !== undefined && threshold !== 0,
    rubrics,
  };
}

/** A criterion is its threshold, or an object with it. */
function thresholdOf(criterion: ForeignValue): number | undefined {
  return criterion.number() ?? criterion.field('threshold')?.number();
}

function trajectoryOf(criterion: ForeignValue | undefined, { notes }: ImportContext): AdkCriteria['trajectory'] {
  if (criterion === undefined) return undefined;
  const threshold = thresholdOf(criterion) ?? 1;
  if (threshold <= 0) return undefined;
  if (threshold < 1)
    notes.mention('changed', criterion, 'All calls of tools have to be as expected here, not only a share of them.');
  const match = criterion.field('match_type', 'matchType')?.text()?.toUpperCase();
  const ignoreArguments = criterion.field('ignore_args', 'ignoreArgs')?.take() === true;
  return { match: match === 'IN_ORDER' ? 'in_order' : match === 'ANY_ORDER' ? 'any_order' : 'exact', ignoreArguments };
}

function responseOf(criterion: ForeignValue | undefined): number | undefined {
  const threshold = criterion === undefined ? undefined : thresholdOf(criterion);
  return threshold === undefined || threshold <= 0 ? undefined : Math.min(threshold, 1);
}
