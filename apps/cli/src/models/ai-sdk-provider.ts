import { quoted, SkillsError } from '@skillpack/core';

/** Makes models by their names, as a provider package of the AI SDK exports it. */
export interface AiSdkProvider {
  languageModel(model: string): unknown;
}

/**
 * The provider that a package exports: under the name that follows from the package’s (`@ai-sdk/openai` → `openai`,
 * `@ai-sdk/amazon-bedrock` → `bedrock`, `@openrouter/ai-sdk-provider` → `openrouter`), as `default`, or as the only export
 * that makes language models.
 *
 * @throws `INVALID_CONFIG` where there is none, or one of several could be meant, with what is there.
 */
export function aiSdkProvider(packageName: string, exported: Readonly<Record<string, unknown>>): AiSdkProvider {
  for (const name of [...namesFor(packageName), 'default']) {
    const found = Object.hasOwn(exported, name) ? exported[name] : undefined;
    if (isProvider(found)) return found;
  }
  const providers = Object.entries(exported).filter(([, value]) => isProvider(value));
  const [only] = providers;
  if (providers.length === 1 && only !== undefined && isProvider(only[1])) return only[1];
  const names = Object.keys(exported);
  const several = providers.map(([name]) => name);
  throw new SkillsError(
    'INVALID_CONFIG',
    several.length > 1
      ? `The package ${quoted(packageName)} exports several providers of models: ${several.join(', ')}.`
      : `The package ${quoted(packageName)} exports no provider of models that is ready to be used.`,
    {
      hint:
        packageName === '@ai-sdk/openai-compatible'
          ? 'Such a server is named as openai-compatible:<url>#<model>; no package is needed.'
          : `Expected an export ${namesFor(packageName)
              .map((name) => quoted(name))
              .join(' or ')} with a method languageModel; found ${listed(names)}.`,
      data: { package: packageName, exports: names.slice(0, mostNamed) },
    },
  );
}

const mostNamed = 20;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What a provider of this package would be called, likeliest first. */
function namesFor(packageName: string): readonly string[] {
  const [, scope = '', base = ''] = /^(?:@([^/]+)\/)?(.+)$/u.exec(packageName) ?? [];
  const plain = base
    .replaceAll(/(?:^|-)(?:vercel-)?ai(?:-sdk)?(?:-v\d+)?(?:-provider)?(?=$|-)/gu, '')
    .replace(/^-/u, '');
  const parts = plain.split('-');
  const names = [
    camelCase(plain),
    parts.at(-1) ?? '',
    parts[0] ?? '',
    ...(scope === 'ai-sdk' ? [] : [camelCase(scope)]),
  ];
  return [...new Set(names)].filter((name) => name !== '');
}

function camelCase(name: string): string {
  return name.replaceAll(/-+(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

function isProvider(value: unknown): value is AiSdkProvider {
  if ((typeof value !== 'function' && typeof value !== 'object') || value === null) return false;
  return typeof (value as Partial<AiSdkProvider>).languageModel === 'function';
}
