import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { WorkspaceCopy, type Verdict } from './workspace-copy.js';

// The rules are the same on every system, and the copy needs symbolic links, which Windows gives to administrators only.
const withoutLinks = process.platform === 'win32';

describe.skipIf(withoutLinks)('what reads the sources', () => {
  const checks = ['lint', 'format', 'imports', 'unused', 'manifests'];
  let copy: WorkspaceCopy;
  let clean: Verdict;
  let planted: Verdict;

  beforeAll(() => {
    copy = new WorkspaceCopy();
    clean = copy.run(['node', 'scripts/check.ts', ...checks]);
    plantViolations(copy);
    planted = copy.run(['node', 'scripts/check.ts', ...checks]);
  }, 240_000);
  afterAll(() => copy[Symbol.dispose]());

  test('passes a workspace that is in order', () => {
    expect(clean.output).toContain(`${checks.length} of ${checks.length} checks passed`);
    expect(clean.passed).toBe(true);
  });

  test('fails when anything is planted', () => {
    expect(planted.passed).toBe(false);
  });

  test.each([
    ['an adapter that imports another', 'registry-fs/src/planted.ts', 'libraries-import-only-core'],
    ['a path into a sibling', 'registry-fs/src/planted.ts', 'siblings-by-name'],
    ['a program that is imported', 'registry-fs/src/planted.ts', 'nobody-imports-an-app'],
    ['core that imports a sibling', 'core/src/skill/planted.ts', 'core-imports-no-sibling'],
    ['errors that import skill', 'core/src/errors/planted.ts', 'core-errors-at-the-bottom'],
    ['skill that imports pack', 'core/src/skill/planted.ts', 'core-skill-policy-pack-on-errors'],
    ['net that imports errors', 'core/src/net/planted.ts', 'core-net-on-nothing'],
    ['digest that imports pack', 'core/src/digest/planted.ts', 'core-digest-and-json-on-errors'],
    ['what an agent reads that imports pack', 'core/src/registry/planted.ts', 'core-runtime-never-meets-pack'],
    ['an agent that imports pack', 'core/src/agent/planted.ts', 'core-agent-never-meets-pack'],
    ['a cycle', 'policy/planted-a.ts', 'no-cycles'],
    ['a file nobody reaches', 'policy/planted-orphan.ts', 'no-orphans'],
    ['a source that imports a test', 'policy/planted-a.ts', 'nobody-imports-a-test'],
    ['a file that imports its own public list', 'policy/planted-a.ts', 'nobody-imports-an-entry-point'],
    ['a library on a development dependency', 'policy/planted-a.ts', 'no-development-dependency-in-a-library'],
    ['an import of what is not there', 'policy/planted-a.ts', 'nothing-unresolved'],

    ['console in a library', 'registry-http/src/planted.ts', 'eslint(no-console)'],
    ['process.exit in a library', 'registry-http/src/planted.ts', "'process.exit' is restricted"],
    ['process.exit in the command', 'apps/cli/src/planted.ts', "'process.exit' is restricted"],
    ['the environment in a library', 'registry-http/src/planted.ts', 'node(no-process-env)'],
    ['files in core', 'policy/planted-hidden.ts', "'node:fs' import is restricted"],
    ['the process in core', 'policy/planted-hidden.ts', "Unexpected use of 'process'"],
    ['the network in core', 'policy/planted-hidden.ts', "Unexpected use of 'fetch'"],
    ['the clock in core', 'policy/planted-hidden.ts', "'Date.now' is restricted"],
    ['the present time in core', 'policy/planted-hidden.ts', 'skillpack(no-present-time)'],
    ['chance in core', 'policy/planted-hidden.ts', "'Math.random' is restricted"],

    ['a file that is too long', 'policy/planted-long.ts', 'eslint(max-lines)'],
    ['a function that is too long', 'policy/planted-long-function.ts', 'eslint(max-lines-per-function)'],
    ['too many parameters', 'policy/planted-shape.ts', 'eslint(max-params)'],
    ['any', 'policy/planted-shape.ts', 'typescript(no-explicit-any)'],
    ['a default export', 'policy/planted-shape.ts', 'import(no-default-export)'],
    ['a public list nobody wrote', 'policy/planted-shape.ts', 'skillpack(no-export-all)'],
    ['a promise nobody waits for', 'policy/planted-shape.ts', 'typescript(no-floating-promises)'],
    ['instanceof of our error', 'policy/planted-shape.ts', 'skillpack(no-instanceof-skills-error)'],
    ['a file named in another style', 'policy/plantedName.ts', 'unicorn(filename-case)'],

    ['an export nobody uses', 'packages/core/src/digest/digest.ts', 'nobodyUsesThis'],
    ['a file nobody uses', 'packages/core/src/policy/planted-orphan.ts', ''],
    ['a dependency nobody uses', 'packages/registry-fs/package.json', 'planted-dependency'],
    ['wrong formatting', 'policy/planted-format.ts', 'ms)'],
    ['a dependency in two versions', 'planted-dependency', 'multiple-dependency-versions'],
  ])('finds %s', (_, where, finding) => {
    const lines = planted.output.split('\n');
    expect(lines.filter((line) => line.includes(where) && line.includes(finding))).not.toEqual([]);
  });
});

describe.skipIf(withoutLinks)('what reads the built packages', () => {
  const entry = 'packages/core/src/index.ts';
  let copy: WorkspaceCopy;

  function build(): void {
    expect(copy.run(['tsup'], 'packages/core')).toMatchObject({ passed: true });
    expect(copy.run(['tsc', '-p', 'tsconfig.build.json'], 'packages/core')).toMatchObject({ passed: true });
  }

  beforeAll(() => {
    copy = new WorkspaceCopy();
    build();
  }, 120_000);
  afterAll(() => copy[Symbol.dispose]());

  test('passes a package whose exports exist, and finds one whose exports do not', { timeout: 120_000 }, () => {
    const check = ['node', 'scripts/check-packed.ts', '@skillpack/core'];
    expect(copy.run(check)).toMatchObject({ passed: true, output: '' });

    const path = 'packages/core/package.json';
    const manifest = copy.read(path);
    copy.plant(path, manifest.replaceAll('./dist/index.d.ts', './dist/missing.d.ts'));
    const { passed, output } = copy.run(check);
    copy.plant(path, manifest);
    expect(passed).toBe(false);
    expect(output).toContain('publint FILE_DOES_NOT_EXIST');
    expect(output).toContain('@skillpack/core: attw');
  });

  test(
    'passes bundles of core that are small, and finds a library that loads at the start and one of a model',
    { timeout: 120_000 },
    () => {
      const check = ['node', 'scripts/check-bundles.ts'];
      const clean = copy.run(check);
      expect(clean).toMatchObject({ passed: true });
      expect(clean.output).not.toContain('at most');

      const path = 'packages/core/src/registry/create-skill-registry.ts';
      const source = copy.read(path);
      copy.append(path, "import { parseDocument } from 'yaml';\nReflect.set(globalThis, 'planted', parseDocument);\n");
      expect(copy.run(['tsup'], 'packages/core')).toMatchObject({ passed: true });
      const large = copy.run(check);
      expect(large.passed).toBe(false);
      expect(large.output).toMatch(/“shows skills” loads [\d.]+ KiB at the start; at most 30 are allowed \(.*yaml \d/u);

      // What is loaded later counts, too.
      copy.plant(path, `${source}Reflect.set(globalThis, 'planted', async () => import('openai'));\n`);
      const installed = 'packages/core/node_modules/openai';
      copy.plant(`${installed}/package.json`, JSON.stringify({ name: 'openai', version: '6.0.0', main: 'index.js' }));
      copy.plant(`${installed}/index.js`, 'exports.openai = 1;\n');
      const manifest = copy.read('packages/core/package.json');
      copy.plant('packages/core/package.json', manifest.replace('"semver":', '"openai": "^6.0.0",\n    "semver":'));
      expect(copy.run(['tsup'], 'packages/core')).toMatchObject({ passed: true });
      const withModel = copy.run(check);
      copy.plant('packages/core/package.json', manifest);
      copy.plant(path, source);
      build();
      expect(withModel.passed).toBe(false);
      expect(withModel.output).toContain('The bundle “shows skills” holds openai');
      expect(withModel.output).toContain('What is installed with @skillpack/core holds openai');
    },
  );

  test(
    'finds a change of the public list, an undocumented name and a type that is not public',
    { timeout: 120_000 },
    () => {
      const check = ['node', 'scripts/check-api.ts', '@skillpack/core'];
      expect(copy.run(check)).toMatchObject({ passed: true, output: '' });

      copy.plant(
        'packages/core/src/planted.ts',
        'interface Hidden { readonly a: 1 }\nexport const planted: Hidden = { a: 1 };\n',
      );
      copy.append(entry, "export { planted } from './planted.js';\n");
      build();
      const { passed, output } = copy.run(check);
      expect(passed).toBe(false);
      expect(output).toContain('packages/core/api/index.api.md: public-list-changed');
      expect(output).toContain('(ae-undocumented) Missing documentation for "planted"');
      expect(output).toContain('(ae-forgotten-export) The symbol "Hidden" needs to be exported');
    },
  );
});

function plantViolations(copy: WorkspaceCopy): void {
  plantImports(copy);
  plantHiddenInputs(copy);
  plantShapes(copy);
  copy.append('packages/core/src/digest/digest.ts', 'export const nobodyUsesThis = 1;\n');
  copy.plant('packages/core/src/policy/planted-format.ts', 'export const  planted = "1"\n');
  const registryFs = JSON.parse(copy.read('packages/registry-fs/package.json')) as { dependencies: object };
  const dependencies = { ...registryFs.dependencies, 'planted-dependency': '^6.0.0' };
  copy.plant('packages/registry-fs/package.json', JSON.stringify({ ...registryFs, dependencies }));
  const evals = JSON.parse(copy.read('packages/evals/package.json')) as object;
  copy.plant(
    'packages/evals/package.json',
    JSON.stringify({ ...evals, devDependencies: { 'planted-dependency': '^5.0.0' } }),
  );
}

function plantImports(copy: WorkspaceCopy): void {
  copy.link('packages/registry-fs', '@skillpack/cli-dist', 'packages/cli-dist');
  copy.plant(
    'packages/registry-fs/src/planted.ts',
    imports('@skillpack/cli-dist', '../../core/src/pack/manifest.js', '../../../apps/cli/src/skills.js'),
  );
  const core = 'packages/core/src';
  copy.plant(`${core}/errors/planted.ts`, imports('../skill/planted.js'));
  copy.plant(`${core}/skill/planted.ts`, imports('../pack/manifest.js', '../../../registry-fs/src/index.js'));
  copy.plant(`${core}/net/planted.ts`, imports('../errors/codes.js'));
  copy.plant(`${core}/digest/planted.ts`, imports('../pack/manifest.js'));
  copy.plant(`${core}/registry/planted.ts`, imports('../pack/manifest.js'));
  copy.plant(`${core}/agent/planted.ts`, imports('../pack/manifest.js'));
  copy.plant(`${core}/policy/planted.test.ts`, 'export const one = 1;\n');
  copy.plant(
    `${core}/policy/planted-a.ts`,
    imports('./planted-b.js', './planted.test.js', '../index.js', 'skills-ref', './nowhere.js'),
  );
  copy.plant(`${core}/policy/planted-b.ts`, imports('./planted-a.js'));
  copy.plant(`${core}/policy/planted-orphan.ts`, 'export {};\n');
}

function plantHiddenInputs(copy: WorkspaceCopy): void {
  copy.plant(
    'packages/registry-http/src/planted.ts',
    `export function loud(): void { console.log(process.env['HOME']); process.exit(1); }\n`,
  );
  copy.plant('apps/cli/src/planted.ts', 'export function leave(): void { process.exit(1); }\n');
  copy.plant(
    'packages/core/src/policy/planted-hidden.ts',
    `import { readFileSync } from 'node:fs';
export const hidden = [
  () => readFileSync('a'),
  () => process.argv,
  () => fetch('https://example.org'),
  () => Date.now(),
  () => new Date(),
  () => Math.random(),
];
`,
  );
}

function plantShapes(copy: WorkspaceCopy): void {
  const policy = 'packages/core/src/policy';
  const lines = Array.from({ length: 301 }, (_, line) => `export const line${line} = ${line};\n`);
  copy.plant(`${policy}/planted-long.ts`, lines.join(''));
  copy.plant(`${policy}/planted-long-function.ts`, `export function long(): void {\n${'  long();\n'.repeat(60)}}\n`);
  copy.plant(
    `${policy}/planted-shape.ts`,
    `import { SkillsError } from '../errors/skills-error.js';
export function wide(a: number, b: number, c: number, d: number): number { return a + b + c + d; }
export const odd: any = 1;
export default odd;
export * from './planted-long.js';
later();
async function later(): Promise<void> {}
export const ours = (error: unknown) => error instanceof SkillsError;
`,
  );
  copy.plant(`${policy}/plantedName.ts`, 'export {};\n');
}

function imports(...names: readonly string[]): string {
  return names.map((name) => `import '${name}';\n`).join('');
}
