import * as z from 'zod/mini';
import { runSummarySchema } from '../src/agent/record/parse-run-summary.js';
import { runEventSchema } from '../src/agent/record/run-event-schema.js';
import { anyDecisionSchema } from '../src/model/decision-schema.js';
import { catalogueHeadSchema, packSummarySchema, searchPointerSchema } from '../src/pack/catalogue-document.js';
import { lockFileSchema } from '../src/pack/lock-file.js';
import { manifestSchema } from '../src/pack/manifest.js';
import { packHeadSchema, versionRecordSchema } from '../src/pack/pack-document.js';
import { projectFileSchema } from '../src/pack/project-file.js';
import { receiptSchema } from '../src/pack/receipt.js';
import { registryInfoSchema, revocationsSchema } from '../src/pack/registry-info.js';

const formats: Readonly<Record<string, { readonly title: string; readonly schema: z.ZodMiniType }>> = {
  decision: { title: 'The decision of a model', schema: anyDecisionSchema },
  lock: { title: 'skillpack-lock.json', schema: lockFileSchema },
  manifest: { title: 'manifest.json of a pack', schema: manifestSchema },
  'pack-head': { title: 'Line 1 of packs/<org>/<name>.ndjson', schema: packHeadSchema },
  'pack-version': { title: 'versions/<org>/<name>/<version>.json', schema: versionRecordSchema },
  project: { title: 'skillpack.json', schema: projectFileSchema },
  receipt: { title: 'receipt.json of an install', schema: receiptSchema },
  registry: { title: 'registry.json', schema: registryInfoSchema },
  revocations: { title: 'revocations/latest.json', schema: revocationsSchema },
  run: { title: 'run.json of a run', schema: runSummarySchema },
  'run-event': { title: 'A line of events.jsonl', schema: runEventSchema },
  'search-catalogue-head': { title: 'Line 1 of a search catalogue', schema: catalogueHeadSchema },
  'search-catalogue-pack': { title: 'A further line of a search catalogue', schema: packSummarySchema },
  'search-pointer': { title: 'search/latest.json', schema: searchPointerSchema },
};

/** The published JSON Schema of every format, by name: what a writer may write, as readers see it. */
export const jsonSchemas: ReadonlyMap<string, object> = new Map(
  Object.entries(formats).map(([name, { title, schema }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
    return [name, { $schema, $id: `urn:skillpack:schema:${name}:1`, title, ...rest }];
  }),
);
