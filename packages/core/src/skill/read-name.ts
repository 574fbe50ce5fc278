import { quoted } from '../errors/quoted.js';
import { cleanText } from './clean-text.js';
import type { DiagnosticLog, Place } from './diagnostic-log.js';
import { canonicalText, plainKind } from './plain-scalar.js';
import type { Field } from './read-yaml.js';
import { requiredText } from './required-text.js';
import type { SkillSurroundings } from './skill-surroundings.js';
import { isFolderName, isSkillName, judgeSkillName, suggestSkillName } from './skill-name.js';

/** The name of a skill: the one it gives itself, or that of its folder; `undefined` when there is neither. */
export function readName(field: Field | undefined, around: SkillSurroundings, log: DiagnosticLog): string | undefined {
  const plain = field === undefined ? undefined : plainName(field, around);
  if (plain !== undefined) return plain;
  const at = field === undefined ? { line: 1 } : { offset: field.offset };
  const written = field === undefined ? '' : ownName(field, around, log);
  const folder = around.folder === undefined ? undefined : cleanText(around.folder).normalize('NFC').trim();
  if (written !== '' && isFolderName(written)) {
    judge(written, { folder, at }, log);
    return written;
  }
  if (folder === undefined || !isFolderName(folder)) {
    log.report('name-unknown', {
      at,
      message: written === '' ? 'The skill has no name.' : `No folder can be called ${quoted(written)}.`,
      fix: 'Write name: with 1 to 64 of a-z, 0-9 and single hyphens.',
    });
    return undefined;
  }
  log.report(written === '' ? 'name-missing' : 'name-unsafe', {
    at,
    message: written === '' ? 'The skill has no name.' : `No folder can be called ${quoted(written)}.`,
    fix: `That of the folder was taken. Write name: ${suggestSkillName(folder) ?? folder}.`,
  });
  judge(folder, { folder: undefined, at }, log);
  return folder;
}

/** A name of which there is nothing to say; `undefined` for all others. */
function plainName({ scalar }: Field, { folder }: SkillSurroundings): string | undefined {
  if (scalar === undefined || (folder !== undefined && folder !== scalar.text) || !isSkillName(scalar.text)) {
    return undefined;
  }
  return scalar.plain && plainKind(scalar.text) !== 'text' ? undefined : scalar.text;
}

function ownName(field: Field, { profile }: SkillSurroundings, log: DiagnosticLog): string {
  const text = requiredText(field, log);
  if (profile === 'strict') {
    // Tools that read a number first and turn it into text afterwards see this name.
    return field.scalar?.plain === true && text !== '' ? canonicalText(text).trim() : text.trim();
  }
  const clean = cleanText(text).replaceAll(/\s+/gu, ' ').trim();
  const inner = /^[“”‘’«»„](?<inner>[^“”‘’«»„]+)[“”‘’«»]$/u.exec(clean)?.groups?.['inner'];
  if (inner === undefined) return clean;
  log.report('smart-quotes', {
    at: { offset: field.offset },
    message: `The name has typographic quotes around it: ${quoted(clean)}.`,
    fix: 'They were removed. Remove them, or use straight ones.',
  });
  return inner.trim();
}

interface JudgedName {
  readonly folder: string | undefined;
  readonly at: Place;
}

function judge(name: string, { folder, at }: JudgedName, log: DiagnosticLog): void {
  if (!isSkillName(name)) reportOddName(name, at, log);
  if (folder === undefined || folder === name.normalize('NFC')) return;
  log.report('name-not-folder', {
    at,
    message: `The name is ${quoted(name)}, but the folder is ${quoted(folder)}.`,
    fix: 'The name counts. Give both the same name.',
  });
}

function reportOddName(name: string, at: Place, log: DiagnosticLog): void {
  const suggestion = suggestSkillName(name);
  const fix = suggestion === undefined ? 'Use 1 to 64 of a-z, 0-9 and single hyphens.' : `Call it ${suggestion}.`;
  const problem = judgeSkillName(name);
  if (problem === undefined) {
    log.report('name-not-ascii', { at, message: `The name ${quoted(name)} has letters outside a-z.`, fix });
  } else {
    log.report('name-invalid', { at, message: `The name ${quoted(name)} ${problem}.`, fix });
  }
}
