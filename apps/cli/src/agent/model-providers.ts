import { isAbsolute, relative, resolve } from 'node:path';
import { quoted, SkillsError, type ModelAdapter } from '@skillpack/core';
import { scripted, parseScript, searchAndAnswer } from '@skillpack/model-adapters';
import { readRegularFile } from '../files/read-regular-file.js';
import { nearestName } from '../frame/nearest-name.js';

/** Where a model is named. */
export interface ModelPlace {
  /** Relative files start from here. */
  readonly cwd: string;
  /** What a record calls a file of the project is relative to it. */
  readonly projectDir: string;
  /** How many answers of a script were given before the run was cut off. @default 0 */
  readonly answered?: number | undefined;
  /** Whether it is a record that names it. @default the person does */
  readonly recorded?: boolean | undefined;
}

interface ModelProvider {
  /** What may stand behind the colon, for messages. */
  readonly form: string;
  /** @param name what stands behind the colon; `undefined` where there is none. */
  open(name: string | undefined, place: ModelPlace): ModelAdapter;
}

const builtinScript = 'search-and-answer';
const maxScriptBytes = 1024 * 1024;

/** Who brings models, by the word before the colon. */
const modelProviders: Readonly<Record<string, ModelProvider>> = {
  scripted: {
    form: 'scripted, or scripted:<file> for a script of your own',
    open: (name, place) =>
      name === undefined || name === builtinScript
        ? scripted(searchAndAnswer, { name: `scripted:${builtinScript}`, keptRequests: 0 })
        : openScript(name, place),
  },
};

/**
 * The model that a word names: `scripted`, `scripted:script.yaml`.
 *
 * @throws `USAGE` for one that nobody brings, with those there are; `FILE_NOT_FOUND`, `INVALID_CONFIG` for a script.
 */
export function openModel(spec: string | undefined, place: ModelPlace): ModelAdapter {
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
  // As `scripted:$FILE` is of a variable that is not set.
  if (found !== undefined && name?.trim() === '') {
    throw new SkillsError('USAGE', `The model ${quoted(spec)} says nothing behind its colon.`, {
      hint,
      data: { model: spec },
    });
  }
  if (found !== undefined) return found.open(name, place);
  const nearest = nearestName(provider, Object.keys(modelProviders));
  throw new SkillsError('USAGE', `Nobody here brings the model ${quoted(spec)}.`, {
    hint: `${nearest === undefined ? '' : `Did you mean ${nearest}? `}${hint}`,
    data: { model: spec, providers: Object.keys(modelProviders) },
  });
}

function openScript(name: string, { cwd, projectDir, answered = 0, recorded = false }: ModelPlace): ModelAdapter {
  const path = resolve(cwd, name);
  const bytes = readRegularFile(path, { maxBytes: maxScriptBytes });
  if (bytes === undefined) {
    throw new SkillsError('FILE_NOT_FOUND', `There is no script ${quoted(path)}.`, {
      hint: recorded
        ? 'The run was begun with it. Another model is named by --model scripted:<file>.'
        : 'Check what stands behind “scripted:”.',
      data: { path },
    });
  }
  const below = relative(projectDir, path);
  const known = below.startsWith('..') || isAbsolute(below) ? path : below;
  const script = parseScript(bytes.toString('utf8'), { fileName: path });
  // Rules go by the conversation; a list of replies goes on where it was.
  const rest = 'rules' in script ? script : script.slice(answered);
  return scripted(rest, { name: `scripted:${known}`, keptRequests: 0 });
}
