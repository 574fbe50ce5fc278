import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  ArchiveStore,
  DoctorPorts,
  InstallReport,
  InstallRoot,
  PackManagerPorts,
  SealSubject,
} from '@skillpack/cli-dist';
import type { ArchiveReader, PackName, PackPublisher, PackRegistry } from '@skillpack/core';
import type { ScanPorts, SkillRoot } from '@skillpack/registry-fs';
import type { ProjectRuns } from './agent/project-runs.js';
import type { HttpOptions, HttpRegistry } from '@skillpack/registry-http';
import type { EvalFlags } from './evals/eval-options.js';
import type { HeldEvals } from './evals/hold-evals.js';
import type { FolderRegistry, FolderRegistryOptions } from '@skillpack/registry-http/server';
import type { AgentFlags } from './agent/agent-options.js';
import type { OfferPorts } from './agent/offer-skills.js';
import type { OpenAgent, OpenAgentOptions } from './agent/open-agent.js';
import type { Person } from './agent/person.js';
import { lazyRegistry } from './adapters/lazy-registry.js';
import type { Cache } from './cache/open-cache.js';
import type { ChatStreams } from './chat/chat-streams.js';
import type { Distribution } from './frame/distribution.js';
import type { GlobalOptions } from './frame/global-options.js';
import type { Reporter } from './frame/reporter.js';
import { tellOnce } from './frame/tell-once.js';
import type { Terminal } from './frame/terminal.js';
import { followHttp } from './render/follow-http.js';
import { homeFolder } from './settings/home-folder.js';
import { systemHome } from './settings/system-home.js';
import type { RootChoice } from './settings/choose-root.js';
import type { Places } from './settings/places.js';
import type { AgentSettingsFlags } from './settings/read-agent-settings.js';
import type { SettingsFlags } from './settings/read-settings.js';
import type { SettingsSource } from './settings/settings-source.js';
import type { SkillPlaces } from './settings/read-skill-places.js';
import { registryFolder } from './settings/registry-folder.js';
import type { RegistrySetting, Settings } from './settings/settings.js';
import type { SkillRootsChoice } from './settings/skill-roots.js';
import type { ServedSkillsChoice } from './skills/serve-skills.js';
import { workingFolder } from './settings/working-folder.js';

/** Everything real that a command works with. Parts are made, and their libraries loaded, when they are asked for. */
export interface App extends AsyncDisposable {
  readonly version: string;
  /** The command line, without the program. */
  readonly words: readonly string[];
  /** What stands on standard input. */
  readonly stdin: Readable;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Aborted when the person wants it to stop. */
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
  /** @throws `INVALID_CONFIG`, `INVALID_PROJECT`, `USAGE`. */
  settings(flags?: SettingsFlags): Promise<Settings>;
  root(choice: RootChoice, places: Places): Promise<InstallRoot>;
  /** Where skills are, without what the settings say of packs. @throws `INVALID_CONFIG`. */
  skillPlaces(): Promise<SkillPlaces>;
  /** The folders that skills are looked for in: all of them, those of one scope, or one that is named. */
  skillRoots(places: SkillPlaces, choice?: SkillRootsChoice): Promise<readonly SkillRoot[]>;
  /**
   * What an install of everything that is wanted would report, where the last one found nothing to do and nothing it
   * looked at has changed since; else `undefined`. Costs a fraction of what it costs to look.
   */
  recallInstall(choice: RootChoice, how: RecallOptions): Promise<InstallReport | undefined>;
  /** Remembers what the skills said that were scanned, in the cache. */
  scanPorts(settings: Pick<Settings, 'cacheDir'>): ScanPorts;
  /** @param root whose lock file says where packs come from when nothing else does. */
  registryFor(settings: Settings, root?: InstallRoot): Promise<PackManagerPorts['registryFor']>;
  /** @param root as of {@link registryFor}. */
  ports(settings: Settings, root?: InstallRoot): Promise<PackManagerPorts>;
  /** What a diagnosis needs: nothing that a project says. */
  doctorPorts(places: Pick<Settings, 'cacheDir'>): Promise<DoctorPorts>;
  store(settings: Pick<Settings, 'cacheDir'>): Promise<ArchiveStore>;
  /** Everything that is kept: archives and all else. */
  cache(settings: Settings): Promise<Cache>;
  archives(): Promise<{ readonly archives: ArchiveReader }>;
  /** The registry that is searched. @throws `USAGE` when none is configured. */
  registry(settings: Settings): Promise<PackRegistry>;
  /** Where a pack is published: where an option says, else where it would be installed from. @throws `USAGE`. */
  publisher(name: PackName, settings: Settings): Promise<PackPublisher & Pick<PackRegistry, 'location'>>;
  /** A registry that is a folder. */
  folderRegistry(folder: string, options?: FolderRegistryOptions): Promise<FolderRegistry>;
  /** An agent of the project, with a record of its own. Throws what `openAgent` does. */
  openAgent(flags: AgentFlags, how?: OpenAgentOptions): Promise<OpenAgent>;
  /** Holds evals: cases through agents, and what comes of them. Throws what `holdEvals` does. */
  holdEvals(flags: EvalFlags): Promise<HeldEvals>;
  /** Serves skills on the standard streams until that is over. Throws what `serveSkills` does. */
  serveSkills(choice: ServedSkillsChoice): Promise<void>;
  /** The recorded runs: those of the project, unless the settings name another folder. @throws `INVALID_CONFIG`. */
  runs(flags?: AgentSettingsFlags): Promise<ProjectRuns>;
  /** The folder of the records that the command works with; `undefined` until it does. */
  readonly runsDir: string | undefined;
  /** Who sits at the terminal; `undefined` where nobody can be asked. */
  person(): Promise<Person | undefined>;
  /** For a command that talks while it runs. */
  streams(): ChatStreams;
}

/** How the install would be done. */
export interface RecallOptions extends Omit<SealSubject, 'root'> {
  readonly dryRun: boolean;
}

/** What an app is made of. */
export interface AppOptions extends Distribution, GlobalOptions {
  /** The command line, without the program. */
  readonly words: readonly string[];
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
  readonly terminal: Terminal;
}

/**
 * Chooses the real parts. The only place that does.
 *
 * @throws `FILE_NOT_FOUND` when `--cwd` names no folder, or the current one was removed; `INVALID_CONFIG` when the home
 * folder is no absolute path.
 */
export function createApp(options: AppOptions): App {
  return new RealApp(options);
}

class RealApp implements App {
  readonly version: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
  runsDir: string | undefined;
  readonly #machine = {
    env: process.env,
    home: homeFolder(systemHome()),
    platform: process.platform,
    warn: tellOnce((message) => this.reporter.warn(message)),
  };
  readonly #entry: string;
  readonly #options: AppOptions;
  readonly #opened: HttpRegistry[] = [];
  /** Loaded when the first archive is read: most commands read none. */
  readonly #archives: ArchiveReader = {
    open: async (archive, how) => (await this.archives()).archives.open(archive, how),
  };

  constructor(options: AppOptions) {
    this.version = options.version;
    this.words = options.words;
    this.cwd = workingFolder(options.cwd, { cwd: () => process.cwd(), home: this.#machine.home });
    this.signal = options.signal;
    this.reporter = options.reporter;
    this.#entry = options.entry;
    this.#options = options;
  }

  get stdin(): Readable {
    return process.stdin;
  }

  async settings(flags?: SettingsFlags): Promise<Settings> {
    const { readSettings } = await import('./settings/read-settings.js');
    return readSettings({ ...this.#machine, cwd: this.cwd }, flags);
  }

  async root(choice: RootChoice, places: Places): Promise<InstallRoot> {
    const { chooseRoot } = await import('./settings/choose-root.js');
    return chooseRoot(choice, places);
  }

  async recallInstall(choice: RootChoice, { dryRun, ...how }: RecallOptions): Promise<InstallReport | undefined> {
    const { chooseRoot, chooseSeals, findPlaces, recallInstall } = await import('./adapters/recall.js');
    const source = { ...this.#machine, cwd: this.cwd, version: this.version };
    const places = findPlaces(source);
    const seals = await chooseSeals(source, places);
    return recallInstall({ root: chooseRoot(choice, places), ...how }, seals, { dryRun });
  }

  async skillPlaces(): Promise<SkillPlaces> {
    const { readSkillPlaces } = await import('./adapters/skill-roots.js');
    return readSkillPlaces({ ...this.#machine, cwd: this.cwd });
  }

  async skillRoots(places: SkillPlaces, choice?: SkillRootsChoice): Promise<readonly SkillRoot[]> {
    const { skillRoots } = await import('./adapters/skill-roots.js');
    return skillRoots(places, { ...choice, builtin: this.#builtin() });
  }

  scanPorts({ cacheDir }: Pick<Settings, 'cacheDir'>): ScanPorts {
    return {
      // `performance` would load a part of Node that nothing else needs.
      now: () => Number(process.hrtime.bigint()) / 1e6,
      cache: { folder: join(cacheDir, 'scan'), now: Date.now },
    };
  }

  async registryFor(settings: Settings, root?: InstallRoot): Promise<PackManagerPorts['registryFor']> {
    const { registryOfPack } = await import('./settings/choose-registry.js');
    const { lockedRegistries } = await import('./settings/locked-registries.js');
    const locked = root === undefined ? undefined : lockedRegistries(root.baseDir);
    const made = new Map<string, PackRegistry>();
    return (name) => {
      const setting = registryOfPack(name, settings, locked);
      const registry = made.get(setting.location) ?? this.#openRegistry(setting, settings);
      made.set(setting.location, registry);
      return registry;
    };
  }

  async ports(settings: Settings, root?: InstallRoot): Promise<PackManagerPorts> {
    const { describeMachine } = await import('./adapters/machine.js');
    const { chooseSeals } = await import('./settings/choose-seals.js');
    return {
      registryFor: await this.registryFor(settings, root),
      download: async (url, how) => {
        const { downloadArchive, systemHttpPorts } = await import('./adapters/http-registry.js');
        return downloadArchive(url, systemHttpPorts, { ...this.#http(), ...how });
      },
      archives: this.#archives,
      store: await this.store(settings),
      seals: await chooseSeals({ ...this.#machine, cwd: this.cwd, version: this.version }, settings),
      machine: describeMachine(this.#machine),
      now: () => new Date(),
      version: this.version,
    };
  }

  async doctorPorts(places: Pick<Settings, 'cacheDir'>): Promise<DoctorPorts> {
    return {
      archives: this.#archives,
      store: await this.store(places),
      now: () => new Date(),
      version: this.version,
    };
  }

  async store({ cacheDir }: Pick<Settings, 'cacheDir'>): Promise<ArchiveStore> {
    const { openStore } = await import('./adapters/store.js');
    let told = false;
    return openStore(cacheDir, {
      onRefused: ({ message }) => {
        if (told) return;
        told = true;
        this.reporter.warn(`The cache could not keep what was fetched: ${message}`);
      },
    });
  }

  async cache({ cacheDir }: Settings): Promise<Cache> {
    const { openCache } = await import('./cache/open-cache.js');
    const { cacheFolder } = await import('./settings/cache-folder.js');
    return openCache({ cacheDir, codeDir: cacheFolder(this.#machine) });
  }

  async archives(): Promise<{ readonly archives: ArchiveReader }> {
    const { createArchiveReader } = await import('./adapters/archives.js');
    return { archives: createArchiveReader() };
  }

  async registry(settings: Settings): Promise<PackRegistry> {
    const { defaultRegistry } = await import('./settings/choose-registry.js');
    return this.#openRegistry(defaultRegistry(settings), settings);
  }

  async publisher(name: PackName, settings: Settings): Promise<PackPublisher & Pick<PackRegistry, 'location'>> {
    const { registryOfPack } = await import('./settings/choose-registry.js');
    const named = settings.registry?.origin === 'flag' ? settings.registry : undefined;
    const setting = named ?? registryOfPack(name, settings);
    return setting.kind === 'http' ? this.#openHttp(setting, settings) : this.folderRegistry(setting.location);
  }

  async folderRegistry(folder: string, options?: FolderRegistryOptions): Promise<FolderRegistry> {
    const { createArchiveWriter, createFolderRegistry } = await import('./adapters/folder-registry.js');
    const writer = createArchiveWriter();
    return createFolderRegistry(folder, { ...(await this.archives()), writer, now: () => new Date() }, options);
  }

  async openAgent(flags: AgentFlags, how?: OpenAgentOptions): Promise<OpenAgent> {
    const { openAgent, openRuns, randomUUID } = await import('./adapters/agent.js');
    const ports = {
      ...this.#skillPorts(),
      person: how?.person === undefined ? await this.person() : (how.person ?? undefined),
      now: Date.now,
      openRuns: (runsDir: string) => {
        this.runsDir = runsDir;
        return openRuns(runsDir, this.reporter);
      },
      random: () => randomUUID().slice(0, 4),
    };
    return openAgent(flags, ports, how);
  }

  async holdEvals(flags: EvalFlags): Promise<HeldEvals> {
    const { holdEvals } = await import('./adapters/evals.js');
    return holdEvals(flags, { ...this.#skillPorts(), now: Date.now, streams: this.streams() });
  }

  async serveSkills(choice: ServedSkillsChoice): Promise<void> {
    const { serveSkills } = await import('./adapters/mcp.js');
    await serveSkills(choice, { ...this.#skillPorts(), streams: this.streams(), version: this.version });
  }

  async runs(flags?: AgentSettingsFlags): Promise<ProjectRuns> {
    const { isTrusted, openRunFolder, readAgentSettings, sharedBy } = await import('./adapters/runs.js');
    const settings = readAgentSettings({ ...this.#machine, cwd: this.cwd }, flags);
    const { runsDir: folder, projectDir } = settings;
    this.runsDir = folder;
    return { ...openRunFolder(folder), folder, project: sharedBy(folder, projectDir), trusted: isTrusted(settings) };
  }

  async person(): Promise<Person | undefined> {
    const { openPerson } = await import('./frame/open-person.js');
    return openPerson(process);
  }

  streams(): ChatStreams {
    const { stdin, stdout, env } = process;
    return { stdin, stdout, env, words: this.words, terminal: this.#options.terminal, globals: this.#options };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What was answered stays answered when a connection does not close well.
    await Promise.allSettled(this.#opened.map((registry) => registry.close()));
  }

  #skillPorts(): Omit<OfferPorts, 'person'> & { readonly source: SettingsSource } {
    return {
      source: { ...this.#machine, cwd: this.cwd },
      words: this.words,
      builtin: this.#builtin(),
      scanPorts: (settings) => this.scanPorts(settings),
      reporter: this.reporter,
      signal: this.signal,
    };
  }

  #builtin(): string {
    return fileURLToPath(new URL('./builtin/', this.#entry));
  }

  #openRegistry(setting: RegistrySetting, settings: Settings): PackRegistry {
    const { kind, location } = setting;
    return kind === 'http'
      ? lazyRegistry(location, () => this.#openHttp(setting, settings))
      : lazyRegistry(pathToFileURL(`${location}/`).href, () => this.folderRegistry(registryFolder(location)));
  }

  async #openHttp(setting: RegistrySetting, settings: Settings): Promise<HttpRegistry> {
    const { createHttpRegistry, systemHttpPorts } = await import('./adapters/http-registry.js');
    const ports = { ...systemHttpPorts, archives: this.#archives };
    const registry = createHttpRegistry(setting.location, ports, {
      ...this.#http(),
      cacheDir: join(settings.cacheDir, 'http'),
      offline: settings.offline,
      token: async () => {
        const { chooseToken } = await import('./settings/choose-token.js');
        return chooseToken(setting, settings, this.reporter);
      },
    });
    this.#opened.push(registry);
    return registry;
  }

  #http(): HttpOptions {
    return {
      environment: this.#machine.env,
      userAgent: `skillpack/${this.version}`,
      onEvent: followHttp(this.reporter),
    };
  }
}
