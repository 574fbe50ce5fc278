import type { EvalResult, EvalSuite } from '@skillpack/evals';

/** Suites, and the results of them. */
export interface GatheredSuites {
  readonly suites: readonly EvalSuite[];
  readonly results: readonly EvalResult[];
}

/**
 * All suites of a skill as one that is called as the skill is: viewers know one workspace a skill. Those stay apart of which
 * two cases are called the same, and those that are about no skill, or several.
 */
export function gatherBySkill(suites: readonly EvalSuite[], results: readonly EvalResult[]): GatheredSuites {
  const groups = Map.groupBy(suites, ({ name, skills }) =>
    skills.length === 1 ? `skill ${skills[0]}` : `suite ${name}`,
  );
  const renamed = new Map<string, string>();
  const gathered = [...groups.values()].flatMap((group) => {
    const [first] = group;
    const name = first?.skills[0];
    const cases = group.flatMap((suite) => suite.cases);
    const ids = new Set(cases.map(({ id }) => id.toLowerCase()));
    const taken = suites.some((suite) => suite.name === name && !group.includes(suite));
    if (first === undefined || name === undefined || group.length < 2 || ids.size < cases.length || taken) return group;
    for (const suite of group) renamed.set(suite.name, name);
    return [{ ...first, name, cases }];
  });
  return {
    suites: gathered,
    results: results.map((result) => ({ ...result, suite: renamed.get(result.suite) ?? result.suite })),
  };
}
