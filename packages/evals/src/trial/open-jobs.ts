import {
  canonicalJson,
  filterRegistry,
  layerRegistries,
  quoted,
  recordable,
  SkillsError,
  type SkillEntry,
  type SkillRegistry,
} from '@skillpack/core';
import type { EvalCase, EvalSuite } from '../case/eval-case.js';
import type { OfferedSkill } from '../plan/case-offer.js';
import type { EvalJob } from '../plan/eval-job.js';
import { jobKey, type KeyParts } from '../plan/job-key.js';
import { measureCase, type CasePorts } from '../plan/measure-case.js';
import { OfferDigests } from '../plan/offer-digests.js';
import type { OpenJob } from './eval-ports.js';
import { headsOnly } from './heads-only.js';

/** What jobs are opened with. */
export interface OpenJobsPorts extends CasePorts {
  /** Of the plan: with it, what is opened has to be what was planned. @default it is not looked at */
  readonly variant?: string | undefined;
}

/** What the jobs of a case in an arm have in common. */
interface Offer {
  readonly open: Omit<OpenJob, 'job'>;
  readonly parts: Omit<KeyParts, 'trial' | 'model'> | undefined;
}

/** Finds to each job its case, as the arm has it, and the skills that are offered. */
export class OpenJobs {
  readonly #suites: ReadonlyMap<string, { readonly suite: EvalSuite; readonly cases: ReadonlyMap<string, EvalCase> }>;
  readonly #ports: OpenJobsPorts;
  /** Those of all trials and models of a case and an arm are the same. */
  readonly #offers = new Map<string, Promise<Offer>>();
  readonly #digests: OfferDigests;
  /** Most cases offer the same, and a catalogue may be large: there is one registry of each offer. */
  readonly #registries = new Map<string, SkillRegistry>();

  constructor(suites: readonly EvalSuite[], ports: OpenJobsPorts) {
    this.#suites = new Map(
      suites.map((suite) => [suite.name, { suite, cases: new Map(suite.cases.map((one) => [one.id, one])) }]),
    );
    this.#ports = ports;
    this.#digests = new OfferDigests(ports.sha256);
  }

  has({ suite, case: id }: Pick<EvalJob, 'suite' | 'case'>): boolean {
    return this.caseOf({ suite, case: id }) !== undefined;
  }

  caseOf({ suite, case: id }: Pick<EvalJob, 'suite' | 'case'>): EvalCase | undefined {
    return this.#suites.get(suite)?.cases.get(id);
  }

  /**
   * @throws what reading the index throws; `SKILL_NOT_FOUND` for a skill that went since the plan was made; `SHARD_MISMATCH`
   * where the case, a skill or who judges is another one than then.
   */
  async open(job: EvalJob): Promise<OpenJob> {
    const { suite, case: id, arm } = job;
    const name = JSON.stringify([suite, id, arm]);
    const known = this.#offers.get(name) ?? this.#offer(job);
    this.#offers.set(name, known);
    try {
      const { open, parts } = await known;
      if (parts !== undefined) this.#expectPlanned(job, parts);
      return { job, ...open };
    } catch (error) {
      // Whoever tries again may find it.
      this.#offers.delete(name);
      throw error;
    }
  }

  /** What was measured with something else must not bear the name of what was planned. */
  #expectPlanned(job: EvalJob, parts: Omit<KeyParts, 'trial' | 'model'>): void {
    const { suite, case: id, model, trial } = job;
    if (jobKey({ ...parts, model, trial }, this.#ports.sha256) === job.key) return;
    throw new SkillsError('SHARD_MISMATCH', `${quoted(`${suite}/${id}`)} is not what it was when the plan was made.`, {
      hint: 'The case, a skill that it offers or who judges was changed since. Plan anew.',
      data: { suite, case: id },
    });
  }

  async #offer({ suite: name, case: id, arm }: EvalJob): Promise<Offer> {
    const { suite, cases } = this.#suites.get(name) ?? {};
    const whole = cases?.get(id);
    if (suite === undefined || whole === undefined) {
      throw new SkillsError('SHARD_MISMATCH', `There is no case ${quoted(id)} in the suite ${quoted(name)}.`, {
        hint: 'Run the plan with the cases that it was made of.',
      });
    }
    const { variant } = this.#ports;
    const measured = await measureCase({ suite, case: whole, arm }, this.#ports, this.#digests);
    const open = { case: measured.case, registry: this.#registryOf(measured.case.kind, measured.offered) };
    return { open, parts: variant === undefined ? undefined : { ...measured.parts, variant } };
  }

  #registryOf(kind: EvalCase['kind'], offered: readonly OfferedSkill[]): SkillRegistry {
    const rows = offered.map(({ entry, old }) => [old, entry.name, entry.location]);
    const name = this.#ports.sha256(canonicalJson(recordable([kind, rows])));
    const registry = this.#registries.get(name) ?? registryOf(kind, offered, this.#ports);
    this.#registries.set(name, registry);
    return registry;
  }
}

function registryOf(kind: EvalCase['kind'], offered: readonly OfferedSkill[], ports: OpenJobsPorts): SkillRegistry {
  const entries = offered.map(({ entry }) => entry);
  if (kind === 'trigger') return headsOnly(entries, ports.registry, ports);
  const kept = new Set<SkillEntry>(entries);
  const keep = (entry: SkillEntry): boolean => kept.has(entry);
  const current = filterRegistry(ports.registry, ports, { keep });
  if (ports.oldRegistry === undefined || !offered.some(({ old }) => old)) return current;
  // None stands in both, so none shadows another; that a case names it is why a skill of a project is trusted.
  return layerRegistries(
    [
      { registry: current, trusted: true },
      { registry: filterRegistry(ports.oldRegistry, ports, { keep }), trusted: true },
    ],
    ports,
  );
}
