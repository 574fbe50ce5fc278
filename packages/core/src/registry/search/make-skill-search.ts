import { checkAborted } from '../../errors/until-aborted.js';
import { buildSkillSearch, type SearchableSkill, type SkillSearch } from './skill-search.js';

/**
 * The same as `createSkillSearch`, made in steps of a few milliseconds; in between, timers fire and whatever else waits
 * for its turn has it.
 *
 * @throws `INTERRUPTED` when the signal is aborted.
 */
export async function makeSkillSearch(
  skills: readonly SearchableSkill[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SkillSearch> {
  checkAborted(signal);
  const steps = buildSkillSearch(skills);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await nextTurn();
    checkAborted(signal);
  }
}

/** Each time over a new channel: of one channel, Node hands out a thousand messages in a row, and no timer fires. */
async function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.addEventListener('message', () => resolve(), { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
  port1.close();
}
