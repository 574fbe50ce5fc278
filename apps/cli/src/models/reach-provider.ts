import { SkillsError, type ModelAdapter } from '@skillpack/core';

/**
 * The model that `make` reaches, with a hint for whoever sits at a command line where its key would go over plain http.
 *
 * @param variable that has the key.
 * @throws what `make` does.
 */
export function reachProvider(variable: string, make: () => ModelAdapter): ModelAdapter {
  try {
    return make();
  } catch (error) {
    if (!SkillsError.is(error, 'ADDRESS_REFUSED')) throw error;
    const withoutKey =
      variable === 'SKILLS_MODEL_API_KEY'
        ? `A server that wants no key is asked where ${variable} is not set.`
        : "A server that wants no key is named by --model 'openai-compatible:<url>#<model>'.";
    throw new SkillsError('ADDRESS_REFUSED', error.message, {
      hint: `Use https, or a tunnel that ends on this machine. In a network that you trust, SKILLS_MODEL_INSECURE=1 has it sent. ${withoutKey}`,
      cause: error,
      data: error.data,
    });
  }
}
