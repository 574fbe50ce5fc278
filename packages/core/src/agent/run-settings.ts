import { SkillsError } from '../errors/skills-error.js';
import { quoted } from '../errors/quoted.js';
import type { SkillReference } from '../registry/skill-entry.js';
import type { Permissions } from '../policy/permissions.js';
import type { AgentOptions } from './agent-run.js';
import type { BudgetLimits } from './budget.js';
import { checkTemplate } from './context/catalogue.js';
import { checkStyle, type CatalogueStyle } from './context/catalogue-style.js';
import { fillLimits } from './fill-limits.js';
import { checkPermissions } from '../policy/check-permissions.js';
import { redactByShape } from './record/redaction.js';
import { isRunId, runIdHint } from './run-id.js';

/** {@link AgentOptions} with every default filled in. */
export interface RunSettings {
  readonly id: string;
  readonly system: string | undefined;
  readonly instructions: string | undefined;
  readonly enableSkills: boolean;
  readonly autoReload: boolean;
  readonly preload: readonly (string | SkillReference)[];
  readonly bodiesPerTurn: number;
  readonly limits: BudgetLimits;
  readonly catalogueShare: number;
  readonly catalogueStyle: CatalogueStyle | undefined;
  readonly catalogueTemplate: string | undefined;
  readonly loadInstructions: string | undefined;
  readonly pinned: readonly string[];
  readonly contextShare: number;
  readonly scriptTimeout: number;
  readonly permissions: Permissions | undefined;
  /** `undefined`: the model is asked again. */
  readonly refusals: 'end' | undefined;
  /** `undefined`: it is left out. */
  readonly rejectedAnswer: 'tell' | undefined;
  /** `undefined`: such a call counts as if it cost nothing. */
  readonly unknownCost: 'end' | undefined;
  readonly project: string | undefined;
}

/** @throws `USAGE` for an id that cannot name a folder, numbers that make no sense, and a template without `{skills_list}`. */
export function fillSettings(options: AgentOptions): RunSettings {
  checkId(options);
  const { redact = redactByShape } = options;
  // What the model is told is what the record may hold.
  const text = (given: string | undefined): string | undefined =>
    given === undefined ? undefined : redact(given).toWellFormed();
  const catalogueTemplate = text(options.catalogueTemplate);
  if (catalogueTemplate !== undefined) checkTemplate(catalogueTemplate);
  return {
    id: options.id,
    system: text(options.system),
    instructions: text(options.instructions),
    enableSkills: options.enableSkills ?? true,
    autoReload: options.autoReload ?? false,
    preload: options.preload ?? [],
    bodiesPerTurn: positive('bodiesPerTurn', options.bodiesPerTurn ?? 2),
    limits: fillLimits(options.limits ?? {}),
    catalogueShare: share('catalogueShare', options.catalogueShare ?? 0.02),
    catalogueStyle: checkStyle(options.catalogueStyle),
    catalogueTemplate,
    loadInstructions: text(options.loadInstructions),
    pinned: options.pinned ?? [],
    contextShare: share('contextShare', options.contextShare ?? 0.7),
    permissions: options.permissions && permissionsOf(options.permissions, redact),
    scriptTimeout: positive('scriptTimeout', options.scriptTimeout ?? 30_000),
    refusals: options.refusals === 'ask-again' ? undefined : 'end',
    rejectedAnswer: options.rejectedAnswer === 'leave-out' ? undefined : 'tell',
    unknownCost: options.unknownCost === 'go-on' ? undefined : 'end',
    project: text(options.project),
  };
}

function checkId(options: unknown): void {
  const { id }: { readonly id?: unknown } = typeof options === 'object' && options !== null ? options : {};
  if (typeof id === 'string' && isRunId(id)) return;
  const what = typeof id === 'string' ? `A run cannot be called ${quoted(id)}.` : 'A run needs an id.';
  throw new SkillsError('USAGE', what, { hint: runIdHint });
}

/** A replay has to judge by the same rules: none is held back from the record. */
function permissionsOf(given: Permissions, redact: (text: string) => string): Permissions {
  const permissions = checkPermissions(given);
  const layers = [permissions.configured, permissions.run];
  const rules = layers.flatMap(({ allow = [], ask = [], deny = [] } = {}) => [...allow, ...ask, ...deny]);
  const named = typeof permissions.allowedTools === 'object' ? Object.keys(permissions.allowedTools) : [];
  for (const text of [...rules, ...named]) {
    if (redact(text).toWellFormed() === text) continue;
    throw new SkillsError('USAGE', 'One of the permissions is taken out of the record as a secret.', {
      hint: 'Write the rule without the secret.',
    });
  }
  return permissions;
}

function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new SkillsError('USAGE', `${name} is ${value}; it has to be a whole number above 0.`);
}

function share(name: string, value: number): number {
  if (value > 0 && value <= 1) return value;
  throw new SkillsError('USAGE', `${name} is ${value}; it has to be above 0 and at most 1.`);
}
