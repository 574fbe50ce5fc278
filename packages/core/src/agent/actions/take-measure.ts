import { isDigest } from '../../digest/is-digest.js';
import { treeDigestOf, type TreeFile } from '../../digest/tree-digest.js';
import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { measureSkill } from '../../registry/measure-skill.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillMeasure } from '../../registry/skill-measure.js';
import { isRedactedBefore } from '../record/redaction.js';
import { asError, recordedError } from '../recorded-error.js';
import type { ActionContext } from '../run-scope.js';

/**
 * Looks at all files of a skill, and notes in the record what they are. What is returned is what the record holds.
 *
 * @throws what keeps the skill from being measured, as the record holds it.
 */
export async function takeMeasure(entry: SkillEntry, context: ActionContext): Promise<SkillMeasure> {
  const { scope } = context;
  const { recorder } = scope;
  const { location } = entry;
  const measured = await ask(entry, context);
  if ('cause' in measured) {
    const error = recordedError(measured.cause, recorder);
    const event = await recorder.append(scope.id, { type: 'skill_measured', location, error });
    throw asError(event.type === 'skill_measured' && event.error !== undefined ? event.error : error);
  }
  const { digest } = measured;
  // Digests and sizes are nobody's words.
  const files = measured.files.map((file) => ({ ...file, path: recorder.redact(file.path).toWellFormed() }));
  const kept = await recorder.keepText(canonicalJson(files));
  await recorder.append(scope.id, { type: 'skill_measured', location, digest, kept });
  return { digest, files };
}

async function ask(
  entry: SkillEntry,
  { scope, patience }: ActionContext,
): Promise<SkillMeasure | { readonly cause: unknown }> {
  const { ports, library, recorder } = scope;
  const { registry, sha256 } = ports;
  const measure =
    ports.measureSkill ??
    (async (skill: SkillEntry, { signal }: { readonly signal: AbortSignal }) =>
      measureSkill(skill, { registry, sha256 }, { signal }));
  try {
    const answer: unknown = await patience.waitFor({ who: 'What measures skills' }, async (signal) =>
      measure(library.own(entry), { signal }),
    );
    const plain = plainMeasure(answer, entry);
    // In the record of a run that is replayed, and from which secrets were taken out, the paths are others.
    if (isRedactedBefore(recorder.redact) || treeDigestOf(plain.files, sha256) === plain.digest) return plain;
    return { cause: noMeasure(entry, 'a digest that is not that of the files') };
  } catch (cause) {
    return { cause };
  }
}

/** Whoever measures may be written in a language without types. */
function plainMeasure(answer: unknown, entry: SkillEntry): SkillMeasure {
  const { digest, files } = fieldsOf(answer);
  if (typeof digest !== 'string' || !isDigest(digest)) throw noMeasure(entry, 'no digest');
  if (!Array.isArray(files)) throw noMeasure(entry, 'no list of files');
  return { digest, files: files.map((file) => plainFile(file, entry)) };
}

function plainFile(file: unknown, entry: SkillEntry): TreeFile {
  const { path, size, executable, digest } = fieldsOf(file);
  if (typeof path !== 'string' || typeof digest !== 'string' || !isDigest(digest) || !Number.isSafeInteger(size)) {
    throw noMeasure(entry, 'a file without path, size and digest');
  }
  return { path, size: Number(size), executable: executable === true, digest };
}

function noMeasure({ name }: SkillEntry, what: string): SkillsError {
  return new SkillsError('INTERNAL', `What measures skills answered ${what} for ${quoted(name)}.`);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
