import { checkAborted } from '../../errors/until-aborted.js';
import { buildSkillSearch, createSkillSearch, type SearchableSkill, type SkillSearch } from './skill-search.js';

// Less is made within a few milliseconds, and the first pause takes Node ten times as long: for the event that ends it,
// it loads its HTTP client.
const fewCharacters = 20_000;

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
  if (charactersOf(skills) <= fewCharacters) return createSkillSearch(skills);
  const steps = buildSkillSearch(skills);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await nextTurn();
    checkAborted(signal);
  }
}

function charactersOf(skills: readonly SearchableSkill[]): number {
  return skills.reduce(
    (sum, { entry, body = '' }) =>
      sum + entry.name.length + entry.location.length + (entry.head.description ?? '').length + body.length,
    0,
  );
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
