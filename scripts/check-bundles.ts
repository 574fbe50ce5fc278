import { join } from 'node:path';

import { dependenciesOf } from './check/dependencies-of.ts';
import { measureBundle, type BundleMeasure } from './check/measure-bundle.ts';

/*
 * Holds what a page loads of core, and what the page of the example loads of everything: bundled as esbuild does by
 * itself, its chunks parted. docs/performance.md says what each of these is, and why what an agent needs is more than 60
 * KiB.
 */

interface Subject {
  readonly name: string;
  readonly names: readonly string[];
  /** KiB of what loads at the start, gzipped. */
  readonly limit: number;
}

const registry = ['createSkillRegistry', 'layerRegistries', 'memorySkills', 'parseSkillHeadLazily', 'SkillsError'];
const documents = ['discoveryIndexPath', 'parseDiscoveryIndex', 'parsePackDocument', 'parseRegistryInfo'];
const search = ['parseSearchCatalogue', 'parseSearchPointer', 'searchCatalogue', 'searchCatalogueLocation'];

const subjects: readonly Subject[] = [
  { name: 'shows skills', names: registry, limit: 30 },
  { name: 'lists a remote registry', names: [...registry, ...documents, ...search], limit: 60 },
  { name: 'a loop of its own', names: [...registry, 'createSkillSession'], limit: 60 },
  {
    name: 'a loop and its tools',
    names: [...registry, 'createSkillSession', 'createSkillTools', 'offerSkillTools'],
    limit: 60,
  },
  { name: 'tools of its own', names: [...registry, 'createSkillSession', 'createSkillTools', 'defineTool'], limit: 70 },
  { name: 'runs an agent', names: [...registry, 'runAgent', 'createMemoryJournal'], limit: 114 },
];

const kibibyte = 1024;
const core = join(process.cwd(), 'packages', 'core');

const modelSoftware =
  /^(?:ai|cohere-ai|groq-sdk|langchain|ollama|openai|@(?:ai-sdk|anthropic-ai|google|langchain|mastra|mistralai|modelcontextprotocol|openai)\/.+)$/u;

function judgePackages(names: Iterable<string>, where: string): string[] {
  return [...names].filter((name) => modelSoftware.test(name)).map((name) => `${where} holds ${name}`);
}

function largest({ packages }: BundleMeasure): string {
  const parts = [...packages].toSorted(([, left], [, right]) => right - left).filter(([, bytes]) => bytes > 0);
  return parts.map(([name, bytes]) => `${name} ${(bytes / kibibyte).toFixed(0)}`).join(', ');
}

async function judgeSubject({ name, names, limit }: Subject): Promise<string[]> {
  const list = names.join(', ');
  // A package may import itself by its name.
  const code = `import { ${list} } from '@skillpack/core';\nglobalThis.used = [${list}];\n`;
  return judgeMeasure({ name, limit, measure: await measureBundle(code, core) });
}

function judgeMeasure({
  name,
  limit,
  measure,
}: Pick<Subject, 'name' | 'limit'> & { readonly measure: BundleMeasure }): string[] {
  const start = measure.start / kibibyte;
  console.log(
    `${name.padEnd(24)} ${start.toFixed(1).padStart(6)} KiB of ${limit} at the start, ${(measure.later / kibibyte).toFixed(1)} later`,
  );
  const problems = judgePackages(measure.packages.keys(), `The bundle “${name}”`);
  if (start <= limit) return problems;
  const parts = `before it is compressed, in KiB: ${largest(measure)}`;
  return [...problems, `“${name}” loads ${start.toFixed(1)} KiB at the start; at most ${limit} are allowed (${parts})`];
}

const problems = judgePackages(dependenciesOf(core), 'What is installed with @skillpack/core');
for (const subject of subjects) problems.push(...(await judgeSubject(subject)));
const page = await measureBundle("import './main.ts';\n", join(process.cwd(), 'examples', 'browser', 'page'));
problems.push(...judgeMeasure({ name: 'the page of the example', limit: 60, measure: page }));
for (const problem of problems) {
  console.log(problem);
  process.exitCode = 1;
}
