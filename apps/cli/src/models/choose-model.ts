import { quoted, SkillsError, textWithoutCredentials } from '@skillpack/core';
import { shellLine } from '../agent/approving-command.js';
import { nearestName } from '../frame/nearest-name.js';
import type { ChosenModel, ModelPlace, ModelProvider } from './model-provider.js';

interface ProviderRow {
  /** What may stand behind the colon, for messages. */
  readonly form: string;
  /** Whether nothing of it leaves this machine but to where the person says: a record alone may name it. */
  readonly harmless: boolean;
  load(): Promise<ModelProvider>;
}

/** Who brings models, by the word before the colon. Each is loaded, with its library, only when it is chosen. */
const modelProviders: Readonly<Record<string, ProviderRow>> = {
  openai: {
    form: 'openai:<model>',
    harmless: true,
    load: async () => (await import('../adapters/openai-models.js')).openaiModels,
  },
  anthropic: {
    form: 'anthropic:<model>',
    harmless: true,
    load: async () => (await import('./anthropic-models.js')).anthropicModels,
  },
  'openai-compatible': {
    form: 'openai-compatible:<url>#<model>',
    harmless: false,
    load: async () => (await import('../adapters/openai-models.js')).openaiCompatibleModels,
  },
  'ai-sdk': {
    form: 'ai-sdk:<package>#<model>',
    harmless: false,
    load: async () => (await import('./ai-sdk-models.js')).aiSdkModels,
  },
  recorded: {
    form: 'recorded:<cassette>',
    harmless: true,
    load: async () => (await import('./recorded-models.js')).recordedModels,
  },
  scripted: {
    form: 'scripted, or scripted:<file> for a script of your own',
    harmless: true,
    load: async () => (await import('./scripted-models.js')).scriptedModels,
  },
};

/** What somebody means who names a model, a server or a package without saying whose it is. */
function meantBy(spec: string): string | undefined {
  if (/^(?:gpt-|chatgpt-|o\d)/u.test(spec)) return `openai:${spec}`;
  if (spec.startsWith('claude-')) return `anthropic:${spec}`;
  if (/^https?:/u.test(spec)) return 'openai-compatible:<url>#<model>';
  if (spec.startsWith('ollama:')) return `openai-compatible:http://localhost:11434/v1#${spec.slice('ollama:'.length)}`;
  return undefined;
}

/** Whether a run goes on with the model that its record names, without anybody naming it again. */
export function isChosenByRecord(model: string): boolean {
  const [provider = ''] = model.split(':', 1);
  return !Object.hasOwn(modelProviders, provider) || modelProviders[provider]?.harmless === true;
}

/**
 * The model that a word names: `openai:gpt-5`, `scripted:script.yaml`.
 *
 * @throws `USAGE` for one that nobody brings, with those there are, and for one that only a record names though it would
 * be sent what is in it; what the provider throws.
 */
export async function chooseModel(spec: string | undefined, place: ModelPlace): Promise<ChosenModel> {
  const hint = `There is ${Object.values(modelProviders)
    .map(({ form }) => form)
    .join('; ')}. Choose by --model, SKILLS_MODEL, or “model” of your config.json.`;
  if (spec === undefined)
    throw new SkillsError('USAGE', 'No model is chosen that could decide.', {
      hint: `To try one that is built in: --model scripted. ${hint}`,
    });
  const colon = spec.indexOf(':');
  const provider = colon === -1 ? spec : spec.slice(0, colon);
  const found = Object.hasOwn(modelProviders, provider) ? modelProviders[provider] : undefined;
  const name = colon === -1 ? undefined : spec.slice(colon + 1);
  const told = quoted(textWithoutCredentials(spec));
  const data = { model: textWithoutCredentials(spec) };
  // As `scripted:$FILE` is of a variable that is not set.
  if (found !== undefined && name?.trim() === '')
    throw new SkillsError('USAGE', `The model ${told} says nothing behind its colon.`, { hint, data });
  if (found !== undefined && place.recorded && !found.harmless) {
    throw new SkillsError('USAGE', `The record says that the run was begun with ${told}, and you do not.`, {
      hint: `It would be sent all that is in the run, so a record alone does not choose it: say ${shellLine(['--model', data.model])}, or another one.`,
      data,
    });
  }
  if (found !== undefined) return (await found.load()).choose(name, place);
  const nearest = meantBy(spec) ?? nearestName(provider, Object.keys(modelProviders));
  throw new SkillsError('USAGE', `Nobody here brings the model ${told}.`, {
    hint: `${nearest === undefined ? '' : `Did you mean ${shellLine([nearest])}? `}${hint}`,
    data: { ...data, providers: Object.keys(modelProviders) },
  });
}
