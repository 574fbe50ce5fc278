/** One thing that has to be true of the workspace, and the command that says whether it is. */
export interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** What mends it, where a program can. */
  readonly fix?: readonly string[];
  /** The check that has to pass before this one can run. */
  readonly after?: 'build';
}

const roots = ['apps', 'bench', 'packages', 'scripts', 'test', 'tooling'];

/** Every check. The build comes first because others wait for it; lint mends before format does. */
export const checks: readonly Check[] = [
  { name: 'build', command: ['turbo', 'run', 'build', 'types', '--output-logs=errors-only'] },
  { name: 'lint', command: ['oxlint', '--format=unix'], fix: ['oxlint', '--fix', '--format=unix'] },
  { name: 'format', command: ['oxfmt', '--check'], fix: ['oxfmt'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json', '--noEmit'] },
  { name: 'imports', command: ['depcruise', ...roots] },
  { name: 'unused', command: ['knip', '--no-progress'] },
  { name: 'manifests', command: ['sherif', '--fail-on-warnings'] },
  { name: 'packed', command: ['node', 'scripts/check-packed.ts'], after: 'build' },
  { name: 'bundles', command: ['node', 'scripts/check-bundles.ts'], after: 'build' },
  {
    name: 'api',
    command: ['node', 'scripts/check-api.ts'],
    fix: ['node', 'scripts/check-api.ts', '--write'],
    after: 'build',
  },
  { name: 'tests', command: ['vitest', 'run'], after: 'build' },
];
