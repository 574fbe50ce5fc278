import { digestHex } from '../../digest/digest.js';
import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import { visibleLines, visibleText } from '../../errors/visible-text.js';
import { canonicalJson } from '../../json/canonical-json.js';
import type { AgentAction } from '../../model/action.js';
import type { ScriptOutcome, ScriptStream } from '../../tool/script-runner.js';
import type { Activation } from '../activation.js';
import type { RecordedError } from '../run-event.js';
import type { Kept } from '../run-recorder.js';
import { redactCut } from '../record/redact-cut.js';
import type { ActionContext, Observation, RunScope } from '../run-scope.js';
import { activeFile, type ActiveFile } from './active-skill.js';
import { activeSkills } from './active-skills.js';
import { policySkill } from '../judge-use.js';
import { confinementOf } from '../recorded-setup.js';
import { permitUse, type WantedUse } from './permit-use.js';
import { fittingLength } from '../context/fitting-length.js';
import { fencedText } from '../context/fenced-text.js';
import { plainOutcome } from './plain-outcome.js';
import { shortenedText } from './shortened-text.js';

type RunScript = AgentAction & { readonly kind: 'run_script' };

/** UTF-16 code units of a stream that a model is shown. */
const streamLength = 6_000;

/** Runs a script of an activated skill, once somebody said yes. However it ends, that is something to observe. */
export async function runScript(action: RunScript, context: ActionContext): Promise<Observation> {
  const { scope, patience } = context;
  const file = await scriptOf(action, context);
  const { runner } = scope.ports;
  if (runner === undefined) {
    throw new SkillsError('TOOL_NOT_ALLOWED', 'No script can be run here.', {
      hint: 'Do what you can without it, and say what could not be done.',
    });
  }
  const { args } = action;
  const wanted = { skill: scope.library.own(file.entry), path: file.path, args: [...args] };
  const use = wantedUse(file, args, confinementOf(runner));
  const allowed = await permitUse({ ...use, check: () => runner.check?.(wanted) }, context);
  if (!allowed.permitted) return allowed.observation;
  const { limits, spent } = scope.state();
  const timeout = Math.max(1, Math.min(scope.settings.scriptTimeout, limits.wallTime - spent.wallTime));
  const { digest } = allowed;
  const request = { ...wanted, timeout, digest };
  const ended: unknown = await patience.waitFor(
    { who: `The script ${quoted(file.path)}`, changes: true, timeToStop: runner.timeToStop },
    async (signal) => runner.run(request, { signal }),
  );
  return observe(file, plainOutcome(ended, file.path), { ...context, timeout });
}

function wantedUse(
  { activation, entry, path }: ActiveFile,
  args: readonly string[],
  confinement: string | undefined,
): WantedUse {
  const { name, location } = activation;
  const tool = 'run_script';
  const risk = 'medium';
  const input = { relative_path: path, args: [...args] };
  const summary = [path, ...args].map(shown).join(' ');
  return {
    entry,
    use: {
      action: 'run_script',
      tool,
      risk,
      onBehalfOf: policySkill(activation),
      input,
      runsCode: true,
      confined: confinement !== undefined,
      script: { path, folder: location, args },
    },
    asked: { action: 'run_script', tool, risk, skill: { name, location }, summary, input, confinement },
  };
}

/** Nobody is asked about a file that is not there, or not the skill's. */
async function scriptOf(action: RunScript, { scope }: ActionContext): Promise<ActiveFile> {
  const file = await activeFile(activeSkills(scope), action.skill, action.relative_path);
  await checkDeclared(file, scope);
  const files = await scope.library.view.files(file.entry, {});
  if (files.some(({ path }) => path === file.path)) return file;
  const scripts = files.map(({ path }) => path).filter((path) => path !== 'SKILL.md');
  const named = scripts.slice(0, 20).map((path) => quoted(path));
  throw new SkillsError(
    'FILE_NOT_FOUND',
    `The skill ${quoted(file.activation.name)} has no file ${quoted(file.path)}.`,
    {
      hint: named.length === 0 ? 'It has no scripts.' : `It has ${named.join(', ')}.`,
    },
  );
}

/** A record may come from anywhere: what it says that a skill declares counts once this process has read it. */
async function checkDeclared({ activation, entry }: ActiveFile, { library, read }: RunScope): Promise<void> {
  const { name, location } = activation;
  if (read.has(location)) return;
  const { skill } = await library.view.body(entry);
  const declared = (line: Pick<Activation, 'scope' | 'pack' | 'allowedTools'>): string =>
    canonicalJson([line.scope, line.pack ?? null, line.allowedTools ?? null]);
  if (declared(activation) !== declared({ ...entry, allowedTools: skill.allowedTools })) {
    throw new SkillsError('TOOL_NOT_ALLOWED', `The skill ${quoted(name)} is not what it was when it was activated.`, {
      hint: 'Select it again with select_skills, then run its script.',
    });
  }
  read.add(location);
}

async function observe(
  file: ActiveFile,
  outcome: ScriptOutcome,
  { scope, timeout }: ActionContext & { readonly timeout: number },
): Promise<Observation> {
  const stdout = await keepStream('stdout', outcome.stdout, scope);
  const stderr = await keepStream('stderr', outcome.stderr, scope);
  const streams = [stdout, stderr];
  const length = fittingLength(scope.state().contextTokens / 2, streamLength);
  const error = errorOf(file, outcome, { timeout, own: timeout === scope.settings.scriptTimeout });
  const ending = error?.message ?? `${visibleText(file.path)} ended with exit code 0.`;
  return {
    ok: error === undefined,
    content: [ending, ...streams.map((stream) => showStream(stream, length))].filter((part) => part !== '').join('\n'),
    output: {
      skill: file.activation.name,
      path: file.path,
      runner: outcome.runner,
      command: [...outcome.command],
      exit_code: outcome.exitCode ?? null,
      signal: outcome.signal ?? null,
      timed_out: outcome.timedOut,
      stdout_bytes: outcome.stdout.size,
      stderr_bytes: outcome.stderr.size,
      stdout_cut: stdout.stream.cut ?? null,
      stderr_cut: stderr.stream.cut ?? null,
    },
    error,
    kept: streams.map(({ name, kept }) => ({ name, ...kept.kept })),
  };
}

interface ScriptTime {
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether that is what any script may take, and not what the request had left. */
  readonly own: boolean;
}

function errorOf(
  { path }: ActiveFile,
  { exitCode, signal, timedOut }: ScriptOutcome,
  { timeout, own }: ScriptTime,
): RecordedError | undefined {
  const name = visibleText(path);
  if (timedOut) {
    const most = `${Number((timeout / 1_000).toFixed(1))} s`;
    const limit = own ? `${most}, which is the limit of a script` : `the ${most} that the request had left`;
    return { code: 'TIMEOUT', message: `${name} was ended: it took more than ${limit}.` };
  }
  if (exitCode === 0) return undefined;
  const how =
    exitCode === undefined ? `was ended by ${visibleText(signal ?? 'a signal')}` : `ended with exit code ${exitCode}`;
  return { code: 'EXIT_NONZERO', message: `${name} ${how}.` };
}

interface KeptStream {
  readonly name: string;
  readonly stream: ScriptStream;
  readonly kept: Kept;
}

/** Where something was left out, both sides are redacted apart, so that the place stays known. */
async function keepStream(name: string, stream: ScriptStream, { recorder }: RunScope): Promise<KeptStream> {
  const { bytes, cut } = stream;
  if (cut === undefined || !recorder.redacting) return { name, stream, kept: await recorder.keep(bytes) };
  const redacted = redactCut({ bytes, cut }, recorder.redact);
  const kept = await recorder.keep(redacted.bytes);
  return { name, stream: { ...stream, ...redacted }, kept };
}

function showStream({ name, stream, kept }: KeptStream, length: number): string {
  if (stream.size === 0) return `Its ${name} is empty.`;
  const keptAs = `${name}, ${digestHex(kept.kept.digest).slice(0, 12)}`;
  const { text } = shortenedText(visibleLines(textOf(kept.bytes, stream.cut)), { length, keptAs });
  return `Its ${name}, ${stream.size} bytes:\n${fencedText(text)}`;
}

function textOf(bytes: Uint8Array, cut: number | undefined): string {
  const decode = (part: Uint8Array): string => new TextDecoder().decode(part);
  if (cut === undefined) return decode(bytes);
  return `${decode(bytes.subarray(0, cut))}\n… something was left out here, and was not kept …\n${decode(bytes.subarray(cut))}`;
}

/** A path or an argument as a person reads it: in quotes where it would look like several. */
function shown(argument: string): string {
  return /^[\w./:=@%+,-]+$/u.test(argument) ? argument : JSON.stringify(argument);
}
