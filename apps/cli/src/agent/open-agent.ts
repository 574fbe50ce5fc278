import { sha256 } from '@skillpack/cli-dist';
import {
  resumeRun,
  startRun,
  type AgentOptions,
  type AgentPorts,
  type AgentRun,
  type RunEvent,
  type SkillRegistry,
} from '@skillpack/core';
import type { OpenRun, RunFolder } from '@skillpack/runs-fs';
import { readAgentSettings } from '../settings/read-agent-settings.js';
import type { SettingsSource } from '../settings/settings-source.js';
import { isTrusted } from '../settings/trusted-projects.js';
import { chooseAgentModel, openAgentModel, type ModelRecording } from './agent-model.js';
import type { AgentFlags } from './agent-options.js';
import { equipAgent } from './equip-agent.js';
import { limitsOf, scriptTimeoutOf } from './limits-of.js';
import { newRunId } from './new-run-id.js';
import { describeQuestion, type OpenQuestion } from './open-question.js';
import { offerSkills, type OfferedSkills, type OfferPorts } from './offer-skills.js';
import type { Person } from './person.js';
import { checkPreload, preloadOf } from './preload.js';
import { refuseUntrustedRecord } from './refuse-untrusted-record.js';
import { howLong } from '../render/how-long.js';
import { takeUp } from './take-up.js';
import { waitingClock } from './waiting-clock.js';
import { warnOfEntries } from './warn-of-entries.js';

/** An agent that is ready to be started, or to go on. */
export interface OpenAgent extends AsyncDisposable {
  readonly ports: AgentPorts;
  readonly options: AgentOptions;
  /** Its record, which the ports write to. Let go when the agent is disposed; `finish` it before, when the run is over. */
  readonly record: OpenRun;
  /** Where the calls of its model are recorded, which is discarded with the agent unless it was closed. @default nowhere */
  readonly recording: ModelRecording | undefined;
  /**
   * Starts the run, or takes one up where its record ends. Throws as `startRun` and `resumeRun` do. Not to be replaced by
   * these: they know only a redactor of their own copy, and hold back what a model writes for any other.
   */
  start(): Promise<AgentRun>;
  /** Whether the project is trusted, so that what it brings is offered. */
  readonly trusted: boolean;
  /** Whether nobody has to say that again: whoever goes on with the run needs no option for it. */
  readonly trustedForGood: boolean;
  /**
   * What needs a yes that nobody gave, once the record is finished: the newest request ended with it. @throws what the
   * record does.
   */
  openQuestion(): Promise<OpenQuestion | undefined>;
  /** Names of the skills of a project that is not trusted: they are there, and not offered. */
  readonly withheld: readonly string[];
}

/** How an agent is opened. */
export interface OpenAgentOptions {
  /** The run that goes on. @default a new one */
  readonly resume?: string | undefined;
  /** Whether the run is a chat: a yes that lasts then holds for that, and changed skills for the next line. @default false */
  readonly chat?: boolean | undefined;
  /** Who sits at the terminal, where a command talks with them itself; `null` for nobody. @default whoever is there */
  readonly person?: Person | null | undefined;
  /** Told of each event once it is recorded. @default nobody */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Told of each pause, in milliseconds, before a model is asked again. @default the person is told */
  readonly onPause?: ((milliseconds: number) => void) | undefined;
  /** Told of each line that the model thinks. @default the person is told who wants every detail */
  readonly onThought?: ((line: string) => void) | undefined;
}

/** What an agent works with on this machine. */
export interface OpenAgentPorts extends OfferPorts {
  readonly source: SettingsSource;
  readonly now: () => number;
  /** The records in a folder. */
  readonly openRuns: (runsDir: string) => RunFolder;
  /** Hexadecimal digits that no other run has. */
  readonly random: () => string;
}

/**
 * Chooses the parts of an agent: model, skills, tools, who approves, and the record. A new record is made with the first
 * request, so that nothing is left of an agent that cannot be opened, or that nobody asks anything.
 *
 * @throws `USAGE`, `INVALID_CONFIG`; `SKILL_NOT_FOUND` for a skill to begin with that is not there, `APPROVAL_REQUIRED`
 * for one of a project that is not trusted; what the record throws.
 */
export async function openAgent(
  flags: AgentFlags,
  ports: OpenAgentPorts,
  how: OpenAgentOptions = {},
): Promise<OpenAgent> {
  const { reporter } = ports;
  const settings = readAgentSettings(ports.source, flags);
  const runs = ports.openRuns(settings.runsDir);
  const stored = how.resume === undefined ? undefined : await runs.read(how.resume);
  const chosen = await chooseAgentModel(flags, { settings, stored, env: ports.source.env });
  const folders = new Set<string>();
  const clock = waitingClock(ports.now, how.onPause ?? ((milliseconds) => reporter.step(howLong(milliseconds))));
  const { permissions, redact, programs, ...can } = await equipAgent(
    flags,
    { ...ports, clock, registry: () => offered.registry, folders: () => [...folders] },
    { settings, stored, chat: how.chat, secrets: chosen.secrets },
  );
  const trustProject = flags.trustProject === true;
  const offered = await offerSkills({ ...settings, trustProject, resume: how.resume, scope: flags.scope }, ports);
  if (stored !== undefined && !offered.trusted) throw refuseUntrustedRecord(stored.id, ports.words);
  for (const folder of await activeFolders(stored?.events ?? [], offered.registry)) folders.add(folder);
  const preload = await namedSkills(flags, offered, ports);
  const { model, recording } = await openAgentModel(chosen, ports, { ...how, ...flags, settings, offered, redact });
  const id = how.resume ?? newRunId(ports.now(), ports.random());
  const begun = { project: settings.projectDir, instructions: offered.instructions, preload, autoReload: how.chat };
  const resumed = stored === undefined ? undefined : await takeUp(id, runs, ports.words);
  const record = resumed?.journal ?? (await runs.create(id, { deferred: true }));
  const parts: AgentPorts = { registry: offered.registry, model, journal: record, clock, sha256, ...can };
  const options: AgentOptions = {
    id,
    // A run that goes on has what it was started with, but for limits that are stated now.
    ...(resumed === undefined ? begun : {}),
    limits: limitsOf(flags, resumed === undefined ? settings.limits : {}),
    scriptTimeout: scriptTimeoutOf(flags, settings.limits),
    permissions,
    redact,
    signal: ports.signal,
    onEvent: (event) => {
      if (event.type === 'skill_activated') folders.add(event.activation.location);
      how.onEvent?.(event);
    },
  };
  return {
    ports: parts,
    options,
    record,
    recording,
    start: async () => (resumed === undefined ? startRun(parts, options) : resumeRun(resumed, parts, options)),
    trusted: offered.trusted,
    trustedForGood: isTrusted(settings),
    openQuestion: async () => {
      const request = can.approver.openRequest();
      const { leaves = [] } = can.runner;
      const sources = { approve: flags.approve, programs, leaves, record: async () => runs.read(id) };
      return request && describeQuestion(request, sources);
    },
    withheld: offered.withheld,
    [Symbol.asyncDispose]: async () => letGo(record, recording),
  };
}

async function letGo(record: OpenRun, recording: ModelRecording | undefined): Promise<void> {
  await recording?.discard();
  await record.close();
}

/** The skills to begin with. What else the command line names is told of where it is not there. */
async function namedSkills(
  { skill, approve }: AgentFlags,
  offered: OfferedSkills,
  ports: OpenAgentPorts,
): Promise<readonly string[]> {
  await warnOfEntries(approve, offered, { signal: ports.signal, warn: ports.source.warn });
  const preload = preloadOf(skill);
  await checkPreload(preload, offered, ports);
  return preload;
}

/** Folders of skills that are active already: of those that are offered here. A record may name any folder. */
async function activeFolders(events: readonly RunEvent[], registry: SkillRegistry): Promise<readonly string[]> {
  const named = events.flatMap((event) => (event.type === 'skill_activated' ? [event.activation.location] : []));
  const offered = await Promise.all([...new Set(named)].map(async (location) => registry.getByPath(location)));
  return offered.flatMap((entry) => entry?.location ?? []);
}
