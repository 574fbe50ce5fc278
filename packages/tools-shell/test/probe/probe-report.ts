import * as z from 'zod/mini';
import { sandboxAbilities, type SandboxAbilityId } from '../../src/sandbox/sandbox-abilities.js';

/** How a probe confines its scripts. */
export const probedSandboxes = ['none', 'bubblewrap', 'sandbox-runtime'] as const;
export type ProbedSandbox = (typeof probedSandboxes)[number];

const ids = sandboxAbilities.map(({ id }) => id);

/** A line that a script prints. */
export const probeLine = z.readonly(
  z.strictObject({
    attempt: z.optional(z.string()),
    worked: z.optional(z.boolean()),
    detail: z.optional(z.string()),
    /** It is about to try that. */
    trying: z.optional(z.string()),
    /** `begun`, or what went wrong in a process of its own. */
    note: z.optional(z.string()),
  }),
);
export type ProbeLine = z.infer<typeof probeLine>;

/** What one script tried, and what came of it. */
export const probeFinding = z.readonly(
  z.strictObject({
    id: z.enum(ids),
    /** `broken`: the script did not come to what it was to try, which proves nothing. */
    verdict: z.enum(['possible', 'denied', 'broken']),
    /** What was seen from outside. @default undefined nothing was */
    seen: z.optional(z.string()),
    /** Attempts that the script itself says have worked. */
    worked: z.readonly(z.array(z.string())),
    /** All that it told, for whoever asks why. */
    told: z.string(),
  }),
);
export type ProbeFinding = z.infer<typeof probeFinding>;

export const probeReport = z.readonly(
  z.strictObject({
    sandbox: z.enum(probedSandboxes),
    /** Why nothing was tried. @default undefined all was */
    missing: z.optional(z.string()),
    /** What this sandbox says that it leaves. */
    leaves: z.readonly(z.array(z.string())),
    findings: z.readonly(z.array(probeFinding)),
  }),
);
export type ProbeReport = z.infer<typeof probeReport>;

export function abilityOf(report: ProbeReport, id: SandboxAbilityId): ProbeFinding {
  const found = report.findings.find((finding) => finding.id === id);
  if (found === undefined) throw new Error(`nothing was found out about ${id}`);
  return found;
}
