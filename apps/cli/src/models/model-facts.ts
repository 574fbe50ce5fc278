import { join, resolve } from 'node:path';
import { SkillsError } from '@skillpack/core';
import {
  defaultModels,
  findModel,
  parseModelTable,
  type AiSdkOptions,
  type ModelFacts,
  type ModelTable,
} from '@skillpack/model-adapters';
import { readTextIfPresent } from '../files/read-text-if-present.js';
import { docPages } from '../frame/doc-pages.js';
import type { ModelPlace } from './model-provider.js';

/** A model, by its names. */
export interface NamedModel {
  /** As it was named, and as a record names it. */
  readonly name: string;
  /** What else a table may call it, as `provider:model`. */
  readonly alias: string;
}

/**
 * The name of a model, its window, its prices, and how long an answer may be where the person says that: those of the person’s own table, else those that are known.
 *
 * @throws `INVALID_CONFIG`, `IO_ERROR` for that table.
 */
export function modelFacts(
  { name, alias }: NamedModel,
  place: ModelPlace,
): Pick<AiSdkOptions, 'name' | 'models' | 'maxOutputTokens'> {
  const own = ownTable(place);
  const said = findModel(own, name) ?? findModel(own, alias);
  const facts: ModelFacts = { ...findModel(defaultModels, alias), ...said };
  // What is known of a model, its provider knows, too; what a person says is wanted.
  return { name, models: { [name]: facts }, maxOutputTokens: said?.maxOutputTokens };
}

function ownTable({ models, skillsHome }: ModelPlace): ModelTable {
  if (models === undefined) return {};
  const config = join(skillsHome, 'config.json');
  if (typeof models !== 'string') return readTable(JSON.stringify({ models }), `in ${config}`);
  const path = resolve(skillsHome, models);
  const text = readTextIfPresent(path);
  if (text !== undefined) return readTable(text, path);
  throw new SkillsError('INVALID_CONFIG', `“models” of ${config} names the file ${path}, which is not there.`, {
    hint: 'It holds windows and prices of models. Correct the name, or leave it out.',
    data: { path },
  });
}

/** Whoever has only the command has no page of a repository. */
function readTable(text: string, fileName: string): ModelTable {
  try {
    return parseModelTable(text, { fileName });
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    const { code, message, data } = error;
    throw new SkillsError(code, message, {
      hint: `${docPages.models} describes tables of models.`,
      cause: error,
      data,
    });
  }
}
