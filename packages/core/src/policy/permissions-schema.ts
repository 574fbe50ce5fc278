import * as z from 'zod/mini';
import { recordSchema } from '../json/record-schema.js';
import { allowedToolsModes, mostRules } from './permissions.js';

const rules = z.lazy(() => z.optional(z.array(z.string()).check(z.maxLength(mostRules))));

const toolRulesSchema = z.lazy(() => z.strictObject({ allow: rules, ask: rules, deny: rules }));

const modeSchema = z.lazy(() => z.enum(allowedToolsModes));

/** The schema of {@link Permissions}; whether each rule can be read, it does not say. */
export const permissionsSchema = z.lazy(() =>
  z.strictObject({
    configured: z.optional(toolRulesSchema),
    run: z.optional(toolRulesSchema),
    allowedTools: z.optional(z.union([modeSchema, recordSchema(z.string(), modeSchema)])),
  }),
);
