import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { offeredTools } from './actions/offered-tools.js';
import { composeRequest, type ComposedRequest } from './context/compose-request.js';
import { countTokensOf } from './count-tokens.js';
import { composeOptions } from './make-request.js';
import type { RunScope } from './run-scope.js';

/**
 * Looks whether the window has room for anything besides what is in every request.
 *
 * @param contextTokens tokens of the window.
 * @throws `USAGE` with both numbers.
 */
export async function checkRoom(scope: RunScope, contextTokens: number): Promise<void> {
  const { library, ports } = scope;
  const { skills } = await library.view.index();
  // The catalogue never takes more than its share of the window: with one skill, all the rest is as it will be.
  const index = { skills: skills.slice(0, 1) };
  const tools = offeredTools(scope).map(({ tool }) => tool);
  const { tokens } = composeRequest(
    { state: { ...scope.state(), contextTokens }, index, bodies: new Map(), tools },
    { countTokens: countTokensOf(ports) },
    composeOptions(scope),
  );
  if (tokens < contextTokens) return;
  throw new SkillsError(
    'USAGE',
    `System text, tools and the schema of an answer take ${tokens} tokens; the window of the model ${quoted(ports.model.name)} has ${contextTokens}.`,
    { hint: 'Take a model with a larger window, shorten `system` and `instructions`, or hand in fewer tools.' },
  );
}

/** Why a request cannot be sent; `undefined` where the window has room for it. */
export function tooLarge({ tokens }: ComposedRequest, contextTokens: number): SkillsError | undefined {
  if (tokens <= contextTokens) return undefined;
  return new SkillsError(
    'FILE_TOO_LARGE',
    `The next request to the model takes ${tokens} tokens, and cannot be made shorter; its window has ${contextTokens}.`,
    { hint: 'Take a model with a larger window, or put what the request is about into a file, and name the file.' },
  );
}
