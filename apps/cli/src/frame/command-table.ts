import type { Command } from './command.js';

/** A row of the help, and how the command is loaded once it is called. */
export interface CommandRow {
  /** One word, or two for a command of a group: `registry build`. */
  readonly name: string;
  readonly summary: string;
  readonly heading: string;
  load(): Promise<Command>;
}

const packs = 'Packs:';
const authors = 'Authors:';
const registries = 'Registries:';
const agents = 'Agents:';
const upkeep = 'Upkeep:';

/** Every command, in the order of the help. Each file is loaded only when its command is called. */
export const commandTable: readonly CommandRow[] = [
  {
    name: 'install',
    summary: 'install packs, or everything that skillpack.json wants',
    heading: packs,
    load: async () => (await import('../commands/install.js')).install,
  },
  {
    name: 'uninstall',
    summary: 'remove exactly what was installed',
    heading: packs,
    load: async () => (await import('../commands/uninstall.js')).uninstall,
  },
  {
    name: 'verify',
    summary: 'check every installed file, or an archive',
    heading: packs,
    load: async () => (await import('../commands/verify.js')).verify,
  },
  {
    name: 'list',
    summary: 'show the skills of every scope',
    heading: packs,
    load: async () => (await import('../commands/list.js')).list,
  },
  {
    name: 'inspect',
    summary: 'show one installed skill, or a pack of a registry',
    heading: packs,
    load: async () => (await import('../commands/inspect.js')).inspect,
  },
  {
    name: 'search',
    summary: 'find packs in a registry',
    heading: packs,
    load: async () => (await import('../commands/search.js')).search,
  },
  {
    name: 'outdated',
    summary: 'show which packs have newer versions',
    heading: packs,
    load: async () => (await import('../commands/outdated.js')).outdated,
  },
  {
    name: 'update',
    summary: 'move packs to the newest version that was asked for',
    heading: packs,
    load: async () => (await import('../commands/update.js')).update,
  },
  {
    name: 'init',
    summary: 'begin a skill',
    heading: authors,
    load: async () => (await import('../commands/init.js')).init,
  },
  {
    name: 'lint',
    summary: 'check skills against the specification',
    heading: authors,
    load: async () => (await import('../commands/lint.js')).lint,
  },
  {
    name: 'pack',
    summary: 'build the archive of a pack',
    heading: authors,
    load: async () => (await import('../commands/pack.js')).pack,
  },
  {
    name: 'publish',
    summary: 'put a pack into a registry',
    heading: authors,
    load: async () => (await import('../commands/publish.js')).publish,
  },
  {
    name: 'registry build',
    summary: 'make the static files of a registry, or repair them',
    heading: registries,
    load: async () => (await import('../commands/registry-build.js')).registryBuild,
  },
  {
    name: 'registry serve',
    summary: 'serve a registry on this machine, with publishing',
    heading: registries,
    load: async () => (await import('../commands/registry-serve.js')).registryServe,
  },
  {
    name: 'run',
    summary: 'give an agent one task',
    heading: agents,
    load: async () => (await import('../commands/run.js')).run,
  },
  {
    name: 'chat',
    summary: 'talk with an agent, at the terminal or through a pipe',
    heading: agents,
    load: async () => (await import('../commands/chat.js')).chat,
  },
  {
    name: 'runs list',
    summary: 'show what agents were asked here',
    heading: agents,
    load: async () => (await import('../commands/runs-list.js')).runsList,
  },
  {
    name: 'runs show',
    summary: 'show one run: steps, approvals, answer',
    heading: agents,
    load: async () => (await import('../commands/runs-show.js')).runsShow,
  },
  {
    name: 'runs replay',
    summary: 'check that a run comes to the same again',
    heading: agents,
    load: async () => (await import('../commands/runs-replay.js')).runsReplay,
  },
  {
    name: 'runs resume',
    summary: 'go on with a run that was cut off',
    heading: agents,
    load: async () => (await import('../commands/runs-resume.js')).runsResume,
  },
  {
    name: 'eval',
    summary: 'do skills come when they should, and help: merge, import, export, report, compare',
    heading: agents,
    load: async () => (await import('../commands/eval.js')).evaluate,
  },
  {
    name: 'eval merge',
    summary: 'put the parts of a run on several machines together',
    heading: agents,
    load: async () => (await import('../commands/eval-merge.js')).evalMerge,
  },
  {
    name: 'eval import',
    summary: 'turn a file of cases of another tool into ours',
    heading: agents,
    load: async () => (await import('../commands/eval-import.js')).evalImport,
  },
  {
    name: 'eval export',
    summary: 'turn a file of cases into that of another tool',
    heading: agents,
    load: async () => (await import('../commands/eval-export.js')).evalExport,
  },
  {
    name: 'eval report',
    summary: 'make reports of results that are there',
    heading: agents,
    load: async () => (await import('../commands/eval-report.js')).evalReport,
  },
  {
    name: 'eval compare',
    summary: 'say whether results are better or worse than others',
    heading: agents,
    load: async () => (await import('../commands/eval-compare.js')).evalCompare,
  },
  {
    name: 'mcp',
    summary: 'serve skills to other agents over the Model Context Protocol',
    heading: agents,
    load: async () => (await import('../commands/mcp.js')).mcp,
  },
  {
    name: 'cache info',
    summary: 'show where the cache is and what it holds',
    heading: upkeep,
    load: async () => (await import('../commands/cache-info.js')).cacheInfo,
  },
  {
    name: 'cache clean',
    summary: 'remove everything from the cache',
    heading: upkeep,
    load: async () => (await import('../commands/cache-clean.js')).cacheClean,
  },
  {
    name: 'cache verify',
    summary: 'check every archive in the cache, and drop damaged ones',
    heading: upkeep,
    load: async () => (await import('../commands/cache-verify.js')).cacheVerify,
  },
  {
    name: 'doctor',
    summary: 'look for what is wrong with a root, and repair it',
    heading: upkeep,
    load: async () => (await import('../commands/doctor.js')).doctor,
  },
];

/** What the help says of the groups. */
export const groupSummaries: Readonly<Record<string, { readonly summary: string; readonly heading: string }>> = {
  registry: { summary: 'make and serve a registry: build, serve', heading: registries },
  runs: { summary: 'what agents did here: list, show, replay, resume', heading: agents },
  cache: { summary: 'the archives that were downloaded: info, clean, verify', heading: upkeep },
};
