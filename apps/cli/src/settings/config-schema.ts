import * as z from 'zod/mini';
import { sandboxModes } from './sandbox-mode.js';

const number = (least: number) => {
  const error = `expected a whole number from ${least}`;
  return z.optional(z.int(error).check(z.gte(least, error)));
};
const text = z
  .string('expected a text')
  .check(z.minLength(1, 'expected a text that is not empty'), z.maxLength(4096, 'expected at most 4096 characters'));
const texts = (most: number) =>
  z.optional(z.array(text, 'expected a list of texts').check(z.maxLength(most, `expected at most ${most}`)));
const notObject = 'expected an object';

/** The fields of `limits`. */
export const limitFields = {
  turns: number(1),
  toolCalls: number(0),
  scripts: number(0),
  tokens: number(1),
  timeout: number(1),
  script: number(1),
};
const modes = 'expected grant, restrict or ignore';
const mode = z.enum(['grant', 'restrict', 'ignore'], modes);
const list = texts(1000);
/** The fields of `permissions`. */
export const permissionFields = {
  allow: list,
  ask: list,
  deny: list,
  allowedTools: z.optional(z.union([mode, z.record(z.string(), mode)], `${modes}, or an object of these`)),
  env: list,
};
/** The fields of the file. */
export const configFields = {
  /** Where its schema is, for editors. */
  $schema: z.optional(text),
  formatVersion: z._default(z.literal(1, 'expected 1'), 1),
  registry: z.optional(text),
  registries: z.optional(z.record(z.string(), text, notObject)),
  cache: z.optional(text),
  dirs: texts(100),
  offline: z.optional(z.boolean('expected true or false')),
  model: z.optional(text),
  // What a table says is read with the model.
  models: z.optional(
    z.union([text, z.record(z.string(), z.looseObject({}))], 'expected the name of a file, or an object of models'),
  ),
  limits: z.optional(z.object(limitFields, notObject)),
  runsDir: z.optional(text),
  permissions: z.optional(z.object(permissionFields, notObject)),
  sandbox: z.optional(z.enum(sandboxModes, 'expected required, auto or off')),
};
/** A configuration file, whoever wrote it. */
export const configFileSchema = z.lazy(() => z.object(configFields, notObject));
/** A project that somebody else wrote chooses neither who decides, nor what it may cost, nor where files are written. */
export const personalFields: readonly string[] = ['cache', 'model', 'models', 'limits', 'runsDir', 'sandbox'];
/** Nor what is allowed; what it denies counts. */
export const personalPermissions: readonly string[] = ['allow', 'ask', 'allowedTools', 'env'];
