import type { describe as Describe, expect as Expect, test as Test } from 'vitest';
import type { SkillRegistryCaseSubject, SkillRegistrySubject } from './skill-registry-contract-case.js';
import { changeCases } from './skill-registry-contract-changes.js';
import { indexCases } from './skill-registry-contract-index.js';
import { pathCases } from './skill-registry-contract-paths.js';
import { readingCases } from './skill-registry-contract-reading.js';

/** What the contract is run with: the functions of vitest. */
export interface SkillRegistryContractPorts {
  readonly describe: typeof Describe;
  readonly test: typeof Test;
  readonly expect: typeof Expect;
}

/** How the contract is run. */
export interface SkillRegistryContractOptions {
  /** Names the registry in the titles. */
  readonly title: string;
  /** The name that a skill has in the index, from the one it gives itself. @default the same */
  readonly nameOf?: ((name: string) => string) | undefined;
  /** Whether the place holds only skills with ASCII names; the skill `café` is not looked for then. @default false */
  readonly asciiNames?: boolean | undefined;
}

/**
 * What every `SkillRegistry` promises, as tests: call it at the top of a test file. A backend is tested through
 * `createSkillRegistry`.
 *
 * @example
 * ```ts
 * skillRegistryContract(makeSubject, { describe, test, expect }, { title: 'memory' });
 * ```
 */
export function skillRegistryContract(
  makeSubject: () => Promise<SkillRegistrySubject>,
  { describe, test, expect }: SkillRegistryContractPorts,
  options: SkillRegistryContractOptions,
): void {
  describe(`skill registry contract: ${options.title}`, () => {
    const cases = [indexCases, readingCases, pathCases, changeCases].flatMap((casesOf) => casesOf(expect));
    for (const { title, run } of cases) {
      test(title, async () => {
        const subject = await makeSubject();
        try {
          await run(complete(subject, options));
        } finally {
          await subject.close();
        }
      });
    }
  });
}

function complete(subject: SkillRegistrySubject, options: SkillRegistryContractOptions): SkillRegistryCaseSubject {
  const nameOf = options.nameOf ?? ((name: string) => name);
  return {
    ...subject,
    nameOf,
    asciiNames: options.asciiNames ?? false,
    skill: async (name) => {
      const entry = await subject.registry.get(nameOf(name));
      if (entry === undefined) throw new Error(`The registry has no skill ${nameOf(name)}.`);
      return entry;
    },
  };
}
