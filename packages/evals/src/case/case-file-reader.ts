import { SkillsError } from '@skillpack/core';
import type { CaseFiles } from '../trial/eval-ports.js';
import { invalidCase, type CasePlace } from './case-place.js';
import type { EvalFile } from './eval-case.js';
import type { Expectations, OutputCheck } from './expectations.js';
import { pathProblem } from './path-problem.js';
import type { WrittenFile } from './suite-schema.js';

const MiB = 1024 * 1024;
/** Bytes of one file. */
export const maxCaseFileBytes = 16 * MiB;
/** Bytes of all files of a suite, each counted once. */
const maxSuiteFileBytes = 64 * MiB;
const maxFilesOfCase = 1_000;

/** Reads the files that the cases of one suite have. What several cases have is read, kept and counted once. */
export class CaseFileReader {
  readonly #fileName: string;
  readonly #files: CaseFiles | undefined;
  readonly #taken = new Map<string, Uint8Array>();
  readonly #written = new Map<WrittenFile, Uint8Array>();
  #bytes = 0;

  constructor(fileName: string, files: CaseFiles | undefined) {
    this.#fileName = fileName;
    this.#files = files;
  }

  /** Files by path, in their order. @throws `INVALID_CASE`; what reading one throws. */
  async readAll(files: Readonly<Record<string, WrittenFile>>, place: CasePlace): Promise<readonly EvalFile[]> {
    const entries = Object.entries(files);
    if (entries.length > maxFilesOfCase)
      throw this.#refused(place, `expected at most ${maxFilesOfCase} files, found ${entries.length}`);
    const read: EvalFile[] = [];
    for (const [path, file] of entries) {
      const bytes =
        this.#written.get(file) ?? (await this.#read(file, { ...place, at: `${place.at}.${path.slice(0, 100)}` }));
      this.#written.set(file, bytes);
      read.push({ path, bytes });
    }
    return read;
  }

  /** With the bytes of the programs that checks run, where there is somewhere to read them. @throws what reading one throws. */
  async withPrograms(expected: Expectations, place: CasePlace): Promise<Expectations> {
    if (this.#files === undefined) return expected;
    const output: OutputCheck[] = [];
    for (const [index, check] of expected.output.entries()) {
      const at = { ...place, at: `${place.at}.${index}.script` };
      // What leads out is told with everything else that is wrong with the suite.
      const readable = check.kind === 'script' && pathProblem(check.script) === undefined;
      output.push(readable ? { ...check, program: await this.#take(check.script, at) } : check);
    }
    return { ...expected, output };
  }

  async #read({ text, base64, from }: WrittenFile, place: CasePlace): Promise<Uint8Array> {
    const given = [text, base64, from].filter((value) => value !== undefined);
    if (given.length !== 1) throw this.#refused(place, 'expected a text, or one of text, base64 and from');
    if (from !== undefined) return this.#take(from, place);
    if (base64 !== undefined) return this.#count(this.#decode(base64, place), place);
    return this.#count(new TextEncoder().encode(text), place);
  }

  async #take(from: string, place: CasePlace): Promise<Uint8Array> {
    const taken = this.#taken.get(from);
    if (taken !== undefined) return taken;
    if (this.#files === undefined)
      throw this.#refused(place, 'files are taken from nowhere here: expected text or base64');
    let bytes: Uint8Array;
    try {
      ({ bytes } = await this.#files.read(from));
    } catch (error) {
      if (!SkillsError.is(error)) throw error;
      const { code, message, hint, data } = error;
      throw new SkillsError(code, `The suite ${place.fileName}, at ${place.at}: ${message}`, {
        hint,
        data,
        cause: error,
      });
    }
    this.#taken.set(from, bytes);
    return this.#count(bytes, place);
  }

  #decode(base64: string, place: CasePlace): Uint8Array {
    let binary: string;
    try {
      binary = atob(base64);
    } catch (cause) {
      throw this.#refused(place, 'expected Base64', cause);
    }
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  }

  #count(bytes: Uint8Array, place: CasePlace): Uint8Array {
    this.#bytes += bytes.length;
    if (bytes.length > maxCaseFileBytes)
      throw this.#refused(place, `it has ${bytes.length} bytes, at most ${maxCaseFileBytes} are allowed`);
    if (this.#bytes > maxSuiteFileBytes)
      throw this.#refused(place, `with it the files have more than ${maxSuiteFileBytes} bytes`);
    return bytes;
  }

  #refused({ at }: CasePlace, message: string, cause?: unknown): SkillsError {
    return invalidCase(this.#fileName, [{ path: at, message }], cause);
  }
}
