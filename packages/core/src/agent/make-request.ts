import { composeRequest, type ComposedRequest, type ComposeOptions } from './context/compose-request.js';
import { planCompaction } from './context/plan-compaction.js';
import { countTokensOf } from './count-tokens.js';
import { offeredActions } from './offered-actions.js';
import { offeredTools } from './actions/offered-tools.js';
import type { RunScope } from './run-scope.js';

const mostRanked = 50;

/** How the requests of a run are made. */
export function composeOptions(scope: RunScope): ComposeOptions {
  const { settings, library, ports } = scope;
  const { view } = library;
  return {
    actions: offeredActions(scope),
    nativeTools: ports.model.nativeTools === true,
    system: settings.system,
    instructions: settings.instructions,
    enableSkills: settings.enableSkills,
    catalogueShare: settings.catalogueShare,
    catalogueTemplate: settings.catalogueTemplate ?? view.promptTemplate,
    catalogueStyle: settings.catalogueStyle,
    loadInstructions: settings.loadInstructions ?? view.loadInstructions,
    pinned: settings.pinned,
  };
}

/** How long a request may be. */
export interface MakeRequestOptions {
  /** Tokens. @default the part of the window that `contextShare` says */
  readonly budget?: number | undefined;
}

/** The next request to the model; where the conversation has become too long for it, in a shorter form from now on. */
export async function makeRequest(scope: RunScope, { budget }: MakeRequestOptions = {}): Promise<ComposedRequest> {
  const { settings, library, recorder, bodies } = scope;
  const { view } = library;
  const countTokens = countTokensOf(scope.ports);
  const { contextTokens, request } = scope.state();
  const found = settings.enableSkills ? await view.search(request?.text ?? '', { limit: mostRanked }) : [];
  const parts = {
    index: await view.index(),
    bodies,
    tools: offeredTools(scope).map(({ tool }) => tool),
    ranked: found.map(({ entry }) => entry.name),
  };
  const options = composeOptions(scope);
  const compaction = planCompaction(
    { ...parts, state: scope.state() },
    { countTokens },
    {
      ...options,
      budget: budget ?? Math.floor(contextTokens * settings.contextShare),
    },
  );
  if (compaction !== undefined) await recorder.append(scope.id, { type: 'context_compacted', ...compaction });
  return composeRequest({ ...parts, state: scope.state() }, { countTokens }, options);
}
