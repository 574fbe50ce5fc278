import { SkillsError } from '@skillpack/core';
import { selfTest, type EvalSuite, type PlanOptions, type SelfTestPorts } from '@skillpack/evals';
import { temporaryWorkspaces } from '@skillpack/evals/node';

const mostNamed = 5;

/**
 * Tries what measures before anything is spent: models that always, never and cannot choose a skill have to come to what is
 * known of them.
 *
 * @throws `INVALID_CASE` where they do not, with what is wrong.
 */
export async function testYardstick(
  suites: readonly EvalSuite[],
  ports: Omit<SelfTestPorts, 'ground'>,
  { signal, filter = () => true }: { readonly signal: AbortSignal; readonly filter?: PlanOptions['filter'] },
): Promise<void> {
  const workspaces = temporaryWorkspaces();
  const { registry, clock, sha256 } = ports;
  // Nothing is done in such a trial but to choose a skill.
  const ground: SelfTestPorts['ground'] = {
    open: async ({ case: { files } }, how) => {
      const workspace = await workspaces.open(files, how);
      return { workspace, agent: {}, [Symbol.asyncDispose]: async () => workspace[Symbol.asyncDispose]() };
    },
  };
  const kept = suites.map((suite) => ({
    ...suite,
    cases: suite.cases.filter(({ id, tags }) => filter({ suite: suite.name, case: id, tags })),
  }));
  const { passed, findings } = await selfTest(kept, { registry, ground, clock, sha256 }, { signal });
  if (passed) return;
  const told = findings.slice(0, mostNamed).map(({ message }) => message);
  const more = findings.length > mostNamed ? ` And ${findings.length - mostNamed} more.` : '';
  throw new SkillsError('INVALID_CASE', `What these cases measure would mean nothing. ${told.join(' ')}${more}`, {
    hint: 'Nothing was asked. Correct the cases, or what they offer.',
    data: { findings },
  });
}
