import type { RecordedError } from '@skillpack/core';

/**
 * What helps on a command line where a model could not be asked: which variable, which file, which option.
 *
 * @param model as it is named.
 */
export function adviceOnModel({ code, hint }: Pick<RecordedError, 'code' | 'hint'>, model: string): string | undefined {
  switch (code) {
    case 'CONTEXT_TOO_LONG':
      return 'Say its real window as `contextTokens` of the model in `models` of your config.json, offer fewer skills by --scope, or begin a new run.';
    case 'UNAUTHORIZED':
      return `Check ${keyOf(model)}: that it belongs to this server, and may use this model.`;
    default:
      return hint;
  }
}

function keyOf(model: string): string {
  const [provider = ''] = model.split(':', 1);
  const variables: Readonly<Record<string, string>> = {
    openai: 'OPENAI_API_KEY',
    anthropic: 'ANTHROPIC_API_KEY',
    'openai-compatible': 'SKILLS_MODEL_API_KEY',
  };
  const variable = Object.hasOwn(variables, provider) ? variables[provider] : undefined;
  return variable === undefined
    ? 'the key in the variable of your environment that this package looks for'
    : `the key in ${variable}`;
}
