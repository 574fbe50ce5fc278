import { isSkillName, quoted, SkillsError, suggestSkillName, visibleText } from '@skillpack/core';
import type { CaseFiles } from '../trial/eval-ports.js';
import { CaseIds } from './case-ids.js';
import type { ForeignValue } from './foreign-value.js';
import { ImportNotes } from './import-notes.js';
import { formatsHint } from './read-foreign.js';

/** What an import is of. */
export interface ImportPlace {
  readonly fileName: string;
  /** Reads the files that cases name. */
  readonly files: CaseFiles | undefined;
  /** The skill that it is about where it does not say so. */
  readonly skill: string | undefined;
}

/** What importers of all formats go by. */
export class ImportContext {
  readonly notes = new ImportNotes();
  readonly ids = new CaseIds(this.notes);
  readonly files: CaseFiles | undefined;
  readonly #fileName: string;
  readonly #skill: string | undefined;

  constructor({ fileName, files, skill }: ImportPlace) {
    this.#fileName = fileName;
    this.files = files;
    this.#skill = skill;
  }

  /** The name of a skill, as registries know skills; `undefined` for what is none. */
  skill(value: ForeignValue): string | undefined {
    const said = value.text()?.trim();
    if (said === undefined || said === '') return undefined;
    if (said.split(':').every((part) => isSkillName(part))) return said;
    const name = suggestSkillName(said);
    if (name === undefined) this.notes.drop(value, `${quoted(said, 80)} is no name of a skill.`);
    else
      this.notes.change(value, `The skill ${quoted(said, 80)} is called ${name} here, as names of skills are written.`);
    return name;
  }

  /** Names of skills: one, or a list. */
  skillList(value: ForeignValue | undefined): readonly string[] {
    if (value === undefined) return [];
    const names = (value.list ? value.items() : [value]).map((item) => this.skill(item));
    return [...new Set(names.filter((name) => name !== undefined))];
  }

  /** The skill that the file is about: what it says, else what the caller does. @throws `INVALID_CASE`. */
  subject(value: ForeignValue | undefined): string {
    const skill = this.subjectIfAny(value);
    if (skill !== undefined) return skill;
    throw this.invalid(
      'it does not say which skill its queries are about',
      'Put it into evals/ of that skill, or name the skill: skills eval import --skill <name>.',
    );
  }

  /** As {@link subject}, where the file may be about none. */
  subjectIfAny(value: ForeignValue | undefined): string | undefined {
    return (value === undefined ? undefined : this.skill(value)) ?? this.#skill;
  }

  /** An error that names the file. */
  invalid(problem: string, hint: string = formatsHint): SkillsError {
    return new SkillsError('INVALID_CASE', `${visibleText(this.#fileName)} cannot be read: ${problem}.`, { hint });
  }
}
