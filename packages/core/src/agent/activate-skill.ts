import { canonicalJson } from '../json/canonical-json.js';
import type { SkillEntry } from '../registry/skill-entry.js';
import type { SkillFile } from '../registry/skill-backend.js';
import type { ActivatedBy, Activation } from './activation.js';
import { bodyTokens } from './context/body-tokens.js';
import { renderSkillBody } from './context/render-skill-body.js';
import { countTokensOf } from './count-tokens.js';
import { developerNotes } from './developer-notes.js';
import { redactEvent } from './redact-event.js';
import type { ReadSkill, RunScope } from './run-scope.js';
import { skillToolNames } from './unlocked-tools.js';

/** Why a skill is activated. */
export interface ActivationCause {
  readonly by: ActivatedBy;
  readonly reason: string;
  /** Whether a child run does its work. @default false */
  readonly subagent?: boolean | undefined;
}

/** Reads a skill. Of its other files, only their names; where not even those can be read, none. */
export async function readSkillText(scope: RunScope, entry: SkillEntry): Promise<ReadSkill> {
  const { view } = scope.library;
  const text = await view.body(entry);
  const files = await view.files(entry, {}).catch((error: unknown): readonly SkillFile[] => {
    scope.recorder.check();
    developerNotes(scope.ports).noFiles(entry.name, error);
    return [];
  });
  return { entry, text, files };
}

/**
 * Writes a skill that was read into the ledger: from here on its tools are offered and its files can be loaded.
 *
 * @returns its body, as a model reads it.
 */
export async function activateSkill(scope: RunScope, read: ReadSkill, cause: ActivationCause): Promise<string> {
  const { activation, text } = makeActivation(scope, read, cause);
  await scope.recorder.append(scope.id, { type: 'skill_activated', activation });
  developerNotes(scope.ports).unknownTools(activation);
  scope.read.add(activation.location);
  if (cause.subagent !== true) scope.bodies.set(activation.location, read.text);
  return text;
}

/**
 * Takes the text of a skill that the ledger holds already. A record may come from anywhere: where its line says something
 * else than what follows from the text, the skill is activated anew.
 */
export async function activateAgain(scope: RunScope, read: ReadSkill, before: Activation): Promise<void> {
  const { by, reason } = before;
  const { activation } = makeActivation(scope, read, { by, reason });
  const follows = (line: Activation): string => {
    const { name, scope: from, pack, digest, tools, unknownTools, allowedTools } = line;
    const told = { name, scope: from, pack, digest, tools, unknownTools, allowedTools };
    return canonicalJson(redactEvent(told, scope.recorder.redact));
  };
  if (follows(activation) === follows(before)) {
    scope.read.add(before.location);
    scope.bodies.set(before.location, read.text);
  } else await activateSkill(scope, read, { by, reason });
}

function makeActivation(
  scope: RunScope,
  read: ReadSkill,
  cause: ActivationCause,
): { readonly activation: Activation; readonly text: string } {
  const { entry, text } = read;
  const rendered = renderSkillBody(
    read,
    { countTokens: countTokensOf(scope.ports) },
    { maxTokens: bodyTokens(scope.state().contextTokens) },
  );
  const { name, location, pack } = entry;
  const skill = { name, allowedTools: text.skill.allowedTools };
  const activation: Activation = {
    name,
    scope: entry.scope,
    location,
    pack,
    digest: text.digest,
    by: cause.by,
    reason: cause.reason,
    turn: scope.state().turn,
    ...skillToolNames(skill, scope.ports, { scripts: scope.ports.runner !== undefined }),
    allowedTools: text.skill.allowedTools,
    lines: rendered.lines,
    runMode: cause.subagent === true ? 'subagent' : 'inline',
  };
  return { activation, text: rendered.text };
}
