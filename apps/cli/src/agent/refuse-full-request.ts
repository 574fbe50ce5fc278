import { foldEvents, SkillsError, type BudgetLimits, type RunEvent } from '@skillpack/core';
import { shellLine } from './approving-command.js';
import { limitOf, moreRoom } from './more-room.js';
import { resumingCommand } from './resume-command.js';

/** How a run is to go on. */
export interface FullRequest {
  readonly id: string;
  readonly events: readonly RunEvent[];
  /** Those that the command line states. */
  readonly limits: Partial<BudgetLimits>;
  /** The command line, without the program. */
  readonly words: readonly string[];
}

/** @throws `USAGE` for a request that ended at a limit, and has no more room with those that are stated now. */
export function refuseFullRequest({ id, events, limits, words }: FullRequest): void {
  const { answer, spent, limits: before } = foldEvents(events);
  const limit = limitOf(answer?.stop);
  if (limit === undefined) return;
  const { name, option, unit } = limit;
  const now = limits[name] ?? before[name];
  if (spent[name] < now) return;
  const more = moreRoom(answer?.stop, { [name]: Math.max(before[name], spent[name]) });
  const taken = Math.floor(spent[name] / unit);
  throw new SkillsError(
    'USAGE',
    `The run ${id} ended at its limit: ${option} is ${now / unit}, and its request took ${taken} before.`,
    {
      hint: `To let it take more: ${shellLine([...resumingCommand(id, { words, trusted: false }), ...more])}`,
      data: { run: id, limit: name, expected: now, actual: spent[name] },
    },
  );
}
