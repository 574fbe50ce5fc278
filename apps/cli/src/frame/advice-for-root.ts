import { SkillsError } from '@skillpack/core';
import { rootOptions, type Command } from './command.js';

/** The root that a command was told to work on, as the command line says it. */
export interface RootWords {
  readonly scope?: string | undefined;
  readonly root?: string | undefined;
}

/** The root that a command line chooses; nothing for a command that does not work on one. */
export function rootChoice(command: Pick<Command, 'options'>, input: object): RootWords {
  // By what it says, not by identity: another file of the bundle has a copy of its own.
  if (command.options['scope']?.description !== rootOptions.scope.description) return {};
  const { scope, root } = input as Readonly<Record<string, unknown>>; // what was read by the options of the command
  return {
    scope: typeof scope === 'string' ? scope : undefined,
    root: typeof root === 'string' ? root : undefined,
  };
}

const commandOfRoot = /`(skills (?:install|uninstall|update|verify|outdated|doctor)(?: [^`]*)?)`/gu;

/**
 * A text in which every command that it tells to run is for the root that the present command is about: what is wrong
 * with a person's own skills is not mended in the project they happen to be in.
 */
export function adviceForRoot(text: string, choice: RootWords): string {
  const option = optionOf(choice);
  if (option === '') return text;
  return text.replaceAll(commandOfRoot, (whole, line: string) =>
    / --(?:root|scope)\b/u.test(line) ? whole : `\`${line}${option}\``,
  );
}

/** As {@link adviceForRoot}, for every text under a key `advice` of data. */
export function dataForRoot(data: unknown, choice: RootWords): unknown {
  if (optionOf(choice) === '') return data;
  if (Array.isArray(data)) return data.map((item: unknown) => dataForRoot(item, choice));
  if (typeof data !== 'object' || data === null || data instanceof Date) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]: [string, unknown]) => [
      key,
      key === 'advice' && typeof value === 'string' ? adviceForRoot(value, choice) : dataForRoot(value, choice),
    ]),
  );
}

/** As {@link adviceForRoot}, for the hint of what was thrown. */
export function errorForRoot(error: unknown, choice: RootWords): unknown {
  if (!SkillsError.is(error) || error.hint === undefined) return error;
  const hint = adviceForRoot(error.hint, choice);
  if (hint === error.hint) return error;
  const { code, message, cause, data } = error;
  return new SkillsError(code, message, { hint, cause, data });
}

function optionOf({ scope, root }: RootWords): string {
  if (root !== undefined) return ` --root ${/^[\w@%+=:,./\\~-]+$/u.test(root) ? root : `"${root}"`}`;
  return scope === 'user' ? ' --scope user' : '';
}
