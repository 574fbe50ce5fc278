import { expectOptions, SkillsError, type ModelAdapter } from '@skillpack/core';
import { CallRecorder } from './call-recorder.js';
import { CassetteLines, headerLine } from './cassette-lines.js';
import type { Cassette } from './cassette.js';
import { checkSkills } from './check-skills.js';
import { textForm, type TextForm } from './normalise-text.js';
import { parseCassette, type Recording } from './parse-cassette.js';
import type { RecordedModel, RecordedOptions, SkillDigests } from './recorded-options.js';
import { Tape } from './tape.js';

/**
 * A model whose calls come from a cassette, or go into one. A call is found by what is asked: the name of the model, the
 * system text, all messages, the tools, the actions and the schema of the answer. The same request gets the answers that it
 * got when it was recorded, in their order; beyond the last, and for any other request, a replay fails.
 *
 * @param model the one that is asked; none is needed to replay: name and window are then those of the recording.
 * @throws `RECORDING_NOT_FOUND` where there is nothing to replay, `RECORDING_STALE`, `INVALID_CASSETTE`,
 * `UNSUPPORTED_FORMAT`, `USAGE` for options that cannot be, and what the cassette throws. Its calls throw
 * `RECORDING_NOT_FOUND`, what was recorded as an error, and, where they are recorded, what the model and the cassette throw.
 *
 * @example
 * ```ts
 * const model = await recorded(undefined, cassetteFile('test/cassettes/pdf.jsonl'));
 * ```
 */
export async function recorded(
  model: ModelAdapter | undefined,
  cassette: Cassette,
  options: RecordedOptions = {},
): Promise<RecordedModel> {
  expectOptions(options, { of: 'recorded', names: optionNames });
  const form = textForm(options);
  const skills = typeof options.skills === 'function' ? await options.skills() : options.skills;
  const settings: Settings = { ...options, form, skills };
  if (options.mode === undefined || options.mode === 'replay') return replaying(model, cassette, settings);
  if (model === undefined) {
    throw new SkillsError(
      'USAGE',
      `There is no model whose calls could be recorded into the cassette ${cassette.name}.`,
      {
        hint: 'Hand in a model, or replay.',
      },
    );
  }
  return recording(model, cassette, settings);
}

const optionNames: Readonly<Record<keyof RecordedOptions, true>> = {
  mode: true,
  replace: true,
  redact: true,
  skills: true,
  stale: true,
  anyModel: true,
  chunks: true,
};

interface Settings extends Omit<RecordedOptions, 'skills'> {
  readonly form: TextForm;
  readonly skills: SkillDigests | undefined;
}

async function replaying(
  model: ModelAdapter | undefined,
  cassette: Cassette,
  settings: Settings,
): Promise<RecordedModel> {
  const found = await load(cassette, settings);
  if (found === undefined) {
    throw new SkillsError('RECORDING_NOT_FOUND', `There is no cassette ${cassette.name} to replay.`, {
      hint: 'Record a run into it first.',
      data: { cassette: cassette.name },
    });
  }
  const { model: name, contextTokens, nativeTools } = found.header;
  const about = model ?? { name, contextTokens, nativeTools };
  return tapeOf(cassette, { ...settings, about, found, live: undefined });
}

async function recording(model: ModelAdapter, cassette: Cassette, settings: Settings): Promise<RecordedModel> {
  const { mode, skills, form } = settings;
  const found = mode === 'record-missing' ? await load(cassette, settings) : undefined;
  if (found?.cutOff !== undefined) {
    throw new SkillsError(
      'INVALID_CASSETTE',
      `The last line, ${found.cutOff}, of the cassette ${cassette.name} is cut off.`,
      {
        hint: 'Remove that line, or record the whole run anew.',
        data: { cassette: cassette.name, line: found.cutOff },
      },
    );
  }
  const { name, contextTokens, nativeTools } = model;
  const first = headerLine({ model: name, contextTokens, ...(nativeTools === true ? { nativeTools } : {}), skills });
  const writer = await cassette.write(mode === 'record-missing' ? 'extend' : 'anew', first);
  const digests = found?.calls.flatMap(({ call }) => [call.request.system, call.request.tools]);
  const recorder = new CallRecorder(writer, { lines: new CassetteLines(digests), form });
  return tapeOf(cassette, { ...settings, about: model, found, live: { model, recorder } });
}

async function load(cassette: Cassette, { skills, stale = 'refuse' }: Settings): Promise<Recording | undefined> {
  const text = await cassette.load();
  if (text === undefined) return undefined;
  const found = parseCassette(text, cassette.name);
  const { skills: then } = found.header;
  if (stale === 'refuse' && then !== undefined && skills !== undefined) checkSkills(then, skills, cassette);
  return found;
}

interface Parts extends Settings {
  readonly about: Pick<ModelAdapter, 'name' | 'contextTokens' | 'nativeTools'>;
  readonly found: Recording | undefined;
  readonly live: { readonly model: ModelAdapter; readonly recorder: CallRecorder } | undefined;
}

function tapeOf(cassette: Cassette, { about, found, live, form, chunks, anyModel = false }: Parts): RecordedModel {
  const tape = new Tape({
    about,
    recordedName: anyModel ? (found?.header.model ?? about.name) : about.name,
    cassette: cassette.name,
    form,
    recording: found ?? { calls: [], cutOff: undefined },
    live,
    chunks,
  });
  return tape.asModel();
}
