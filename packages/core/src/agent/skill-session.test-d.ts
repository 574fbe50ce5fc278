import type { NamedTool } from './unlocked-tools.js';
import type { PreparedRequest, SkillSession } from './skill-session.js';

interface OwnTool extends NamedTool {
  readonly run: () => string;
}

declare const session: SkillSession<OwnTool>;

/** The tools that come back can be run, also where the request brought none; the rest of the request is what it was. */
export async function proof(): Promise<readonly string[]> {
  const prepared = await session.prepare({ system: 'You help.', tools: [], messages: [], temperature: 0.5 });
  const temperature: number = prepared.temperature;
  // @ts-expect-error -- Tools have what the session's type says, and nothing else.
  const missing: keyof (typeof prepared.tools)[number] = 'price';
  return [prepared.system, String(temperature), missing, ...prepared.tools.map((tool) => tool.run())];
}

type Tools<Prepared extends { readonly tools: unknown }> = Prepared['tools'];
type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;

// Tools that no request brought are tools of the session: `never[]` would hide them.
export const proofs: readonly [
  Same<Tools<PreparedRequest<{ system: string; tools: never[] }, OwnTool>>, readonly OwnTool[]>,
] = [true];
