import * as z from 'zod/mini';
import { SkillsError } from '../../errors/skills-error.js';
import { readDocument } from '../../json/json-document.js';
import { permissionsSchema } from '../../policy/permissions-schema.js';
import { skillScopes } from '../../registry/layer-skills.js';
import type { AgentOptions } from '../agent-run.js';
import { anyObjectSchema } from '../record/recorded-action-schema.js';
import type { RecordedSetup } from '../recorded-setup.js';
import type { RunEvent, RunTerms } from '../run-event.js';
import { keptText, type RunRecord } from './run-record.js';

const optionalText = z.lazy(() => z.optional(z.string()));

const toolsSchema = z.lazy(() =>
  z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: anyObjectSchema,
      risk: z.enum(['low', 'medium', 'high']),
      runsCode: z.optional(z.boolean()),
      confined: z.optional(z.boolean()),
    }),
  ),
);

const runnerSchema = z.lazy(() =>
  z.object({
    confinement: z.optional(z.object({ name: z.string(), leaves: z.array(z.string()) })),
    leaves: z.array(z.string()),
  }),
);

/** What a run depends on, as it is kept. */
const setupSchema = z.lazy(() =>
  z.object({
    settings: z.object({
      instructions: optionalText,
      enableSkills: z.boolean(),
      autoReload: z.boolean(),
      preload: z.array(z.union([z.string(), z.object({ name: z.string(), source: z.optional(z.enum(skillScopes)) })])),
      bodiesPerTurn: z.number(),
      catalogueShare: z.number(),
      catalogueStyle: z.optional(z.enum(['markdown', 'plain'])),
      catalogueTemplate: optionalText,
      loadInstructions: optionalText,
      pinned: z.array(z.string()),
      contextShare: z.number(),
      scriptTimeout: z.number(),
      permissions: z.optional(permissionsSchema),
      refusals: z.optional(z.literal('end')),
      rejectedAnswer: z.optional(z.literal('tell')),
      unknownCost: z.optional(z.literal('end')),
    }),
    registry: z.object({ kind: z.string(), loadInstructions: optionalText, promptTemplate: optionalText }),
    nativeTools: z.boolean(),
    tools: toolsSchema,
    skillTools: toolsSchema,
    groupedTools: z.record(z.string(), toolsSchema),
    approver: z.boolean(),
    // Records that were made before runners said what they leave have only whether there was one.
    runner: z.optional(z.union([z.boolean(), runnerSchema])),
  }),
);

/** What a part of a recorded run was worked on with. */
export interface ReadSetup {
  readonly terms: RunTerms;
  readonly setup: RecordedSetup;
  /** The options that make the same part again, but for what takes secrets out. */
  readonly options: AgentOptions;
}

/**
 * What a run was worked on with after its last event.
 *
 * @throws `INVALID_RECORD` for a record without a beginning, or without what its run depends on.
 */
export async function readSetup(record: RunRecord): Promise<ReadSetup> {
  const [first] = record.events;
  const terms = first === undefined ? undefined : termsOf(record.events, first.run);
  const kept = terms?.options.setup;
  if (first?.type !== 'run_started' || terms === undefined || kept === undefined) {
    throw new SkillsError('INVALID_RECORD', 'The record does not say what its run was started with.', {
      hint: 'It was made by another program, or its beginning is missing.',
    });
  }
  const what = `The setup of the run ${first.run}`;
  const limits = { what, code: 'INVALID_RECORD', maxLength: 64 * 1024 * 1024 } as const;
  // The type that is read has fields that may be missing where the other one has them as `undefined`.
  const { runner, ...parts } = readDocument(await keptText(record, kept), setupSchema, limits);
  const setup = { ...parts, runner: typeof runner === 'boolean' ? olderRunner(runner) : runner } as RecordedSetup;
  const system = await keptText(record, terms.system);
  return {
    terms,
    setup,
    options: {
      ...setup.settings,
      // Runs that say nothing of it were made before a refusal ended them.
      refusals: setup.settings.refusals ?? 'ask-again',
      // Those of before the answer quoted what was no decision come to the same answer again.
      rejectedAnswer: setup.settings.rejectedAnswer ?? 'leave-out',
      // Nor did a cost that nobody knows end anything.
      unknownCost: setup.settings.unknownCost ?? 'go-on',
      id: first.run,
      project: terms.options.project,
      limits: terms.limits,
      system,
    },
  };
}

function olderRunner(there: boolean): RecordedSetup['runner'] {
  return there ? { leaves: [] } : undefined;
}

function termsOf(events: readonly RunEvent[], run: string): RunTerms | undefined {
  const resumed = events.findLast(
    (event) => event.type === 'run_resumed' && event.run === run && event.with !== undefined,
  );
  if (resumed?.type === 'run_resumed') return resumed.with;
  const [first] = events;
  return first?.type === 'run_started' ? first : undefined;
}
