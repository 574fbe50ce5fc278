import { pathToFileURL } from 'node:url';
import { quoted, SkillsError, visibleText, type ModelAdapter } from '@skillpack/core';
import { aiSdk, readProviderError } from '@skillpack/model-adapters';
import { shellLine } from '../agent/approving-command.js';
import { aiSdkProvider, type AiSdkProvider } from './ai-sdk-provider.js';
import { findPackage, type FoundPackage } from './find-package.js';
import { partsBehind } from './name-behind.js';
import { refuseOffline } from './refuse-offline.js';
import { withoutOutput } from './without-output.js';
import { modelFacts } from './model-facts.js';
import type { ModelPlace, ModelProvider } from './model-provider.js';

const form = 'ai-sdk:<package>#<model>';
const packageNames = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/u;

/** Models of provider packages of the AI SDK that the person has installed: `ai-sdk:@ai-sdk/mistral#mistral-large-latest`. */
export const aiSdkModels: ModelProvider = {
  choose: (word, place) => {
    const { first: packageName, model } = partsBehind(word, form);
    if (!packageNames.test(packageName)) {
      throw new SkillsError('USAGE', `A model is named as ${form}; ${quoted(packageName)} is no name of a package.`, {
        data: { form },
      });
    }
    refuseOffline(`ai-sdk:${word ?? ''}`, undefined, place.env);
    return {
      secrets: keysFor(packageName, place.env),
      open: async ({ trusted, redact }) => {
        const found = installed(packageName, place, trusted);
        return withoutOutput(async () => {
          const provider = aiSdkProvider(packageName, await load(packageName, found, redact));
          return modelOf(provider, { packageName, model, place });
        });
      },
    };
  },
};

/** Words of the names of packages that say nothing of whose models they bring. */
const commonWords: ReadonlySet<string> = new Set(['', 'ai', 'sdk', 'provider', 'vercel', 'community']);

/** The keys that a package may look for: what is called a key or a token of one of the words in its name. */
function keysFor(packageName: string, env: NodeJS.ProcessEnv): readonly string[] {
  const words = packageName.split(/[^a-z\d]+/iu).filter((word) => !commonWords.has(word));
  return Object.entries(env).flatMap(([name, value = '']) => {
    const parts = name.toLowerCase().split('_');
    const isKey = parts.some((part) => ['key', 'token', 'apikey', 'secret'].includes(part));
    return isKey && words.some((word) => parts.includes(word.toLowerCase())) ? [value.trim()] : [];
  });
}

/**
 * A package of the project is code that whoever wrote the project chose; one beside the person’s own configuration is
 * theirs.
 */
function installed(
  name: string,
  { cwd, projectDir, skillsHome, configured }: ModelPlace,
  trusted: boolean,
): FoundPackage {
  const own = findPackage(name, { from: skillsHome, upTo: skillsHome });
  const ofProject = configured ? undefined : findPackage(name, { from: cwd, upTo: projectDir });
  const found = (trusted ? ofProject : undefined) ?? own;
  if (found !== undefined) return found;
  const install = shellLine(['npm', 'install', '--prefix', skillsHome, name]);
  if (ofProject !== undefined) {
    throw new SkillsError(
      'APPROVAL_REQUIRED',
      `The package ${name} lies in this project, and nobody has said that the project is trusted: its code would be run.`,
      { hint: `--trust-project says so for this once; a package of your own: ${install}`, data: { package: name } },
    );
  }
  // Whoever names `mistral` means what is called so here, hardly the package that somebody has in a registry by this name.
  if (!name.includes('/') && !name.includes('ai')) {
    throw new SkillsError('FILE_NOT_FOUND', `The package ${name} is not installed.`, {
      hint: `Did you mean @ai-sdk/${name}? For all your projects: ${shellLine(['npm', 'install', '--prefix', skillsHome, `@ai-sdk/${name}`])}`,
      data: { package: name },
    });
  }
  const where = configured ? skillsHome : `${cwd} up to ${projectDir}, and ${skillsHome}`;
  throw new SkillsError(
    'FILE_NOT_FOUND',
    `The package ${name} is not installed (looked in node_modules of ${where}).`,
    {
      hint: `For all your projects: ${install}`,
      data: { package: name },
    },
  );
}

async function load(
  name: string,
  { entry }: FoundPackage,
  redact: (text: string) => string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    // Cast: a module is an object, of which nothing is known.
    return (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    // It may hold a key, as its stack may: so it is not handed on.
    const why = visibleText(redact(cause instanceof Error ? cause.message : String(cause))).slice(0, 500);
    throw new SkillsError('INVALID_CONFIG', `The package ${name} cannot be loaded: ${why}`, {
      hint: `It was looked for as ${entry}. Install it anew, with what it depends on.`,
      data: { package: name },
    });
  }
}

interface WantedModel {
  readonly packageName: string;
  readonly model: string;
  readonly place: ModelPlace;
}

function modelOf(provider: AiSdkProvider, { packageName, model, place }: WantedModel): ModelAdapter {
  const name = `ai-sdk:${packageName}#${model}`;
  let made: unknown;
  try {
    made = provider.languageModel(model);
  } catch (error) {
    throw readProviderError(error, { model: name });
  }
  // A table knows the model of `@ai-sdk/mistral` as one of `mistral`.
  const alias = `${packageName.replace(/^@ai-sdk\//u, '')}:${model}`;
  // Cast: what it is not, aiSdk refuses.
  return aiSdk(made as Parameters<typeof aiSdk>[0], modelFacts({ name, alias }, place));
}
