import { unexpected } from './expect-given.js';

/** What each port has to be able to do. */
const ports = {
  registry: {
    methods: ['index', 'files', 'bytes'],
    wanted: 'A registry of skills',
    hint: 'Make one with createSkillRegistry, of folderSkills, memorySkills or a backend of your own.',
  },
  models: {
    methods: ['open'],
    wanted: 'A source of models',
    hint: 'It has a function open, which returns { model } for a job.',
  },
  ground: {
    methods: ['open'],
    wanted: 'A ground for trials',
    hint: 'It has a function open, which returns a workspace for a job; temporaryWorkspaces makes workspaces.',
  },
  judge: { methods: ['judge'], wanted: 'A judge', hint: 'modelJudge makes one of a model.' },
  clock: {
    methods: ['now'],
    wanted: 'A clock',
    hint: 'systemClock of @skillpack/runs-fs is one; { now: () => Date.now() }, too.',
  },
  sha256: { methods: [], wanted: 'A function', hint: '@skillpack/registry-fs has one, and @skillpack/runs-fs, too.' },
  results: {
    methods: ['read', 'append'],
    wanted: 'A log of results',
    hint: 'resultsFile of @skillpack/evals/node makes one of a path, and memoryResults one that is kept nowhere.',
  },
} as const;

type PortName = keyof typeof ports;

/** Which ports a function has. */
export interface ExpectedPorts {
  /** The function. */
  readonly of: string;
  readonly needs: readonly PortName[];
}

/**
 * Looks whether the ports of a function are there, once, before anything is run: whoever calls may write in a language without
 * types. `oldRegistry` and `judge` may be left out.
 *
 * @throws `USAGE`, with the port, what came and what was expected.
 */
export function expectPorts(given: object, { of, needs }: ExpectedPorts): void {
  const fields = fieldsOf(given);
  if (fields === undefined)
    throw unexpected(`What ${of} is to use as its ports`, { given, wanted: 'An object with ports' });
  for (const name of needs) expectPort(name, fields[name], { of, port: name });
  if (fields['oldRegistry'] !== undefined) {
    expectPort('oldRegistry', fields['oldRegistry'], { of, port: 'registry' });
  }
}

/** The same of one that may be left out. */
export function expectJudge(judge: unknown, of: string): void {
  if (judge !== undefined) expectPort('judge', judge, { of, port: 'judge' });
}

function expectPort(
  name: string,
  given: unknown,
  { of, port }: { readonly of: string; readonly port: PortName },
): void {
  const { methods, wanted, hint } = ports[port];
  const fields = fieldsOf(given);
  const fits =
    methods.length === 0
      ? typeof given === 'function'
      : methods.every((method) => typeof fields?.[method] === 'function');
  if (!fits) throw unexpected(`The port ${name} of ${of}`, { given, wanted, hint });
}

function fieldsOf(given: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : undefined;
}
