import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalJson, SkillsError, type ModelAdapter } from '@skillpack/core';
import { modelJudge, type Judge } from '@skillpack/evals';
import { recorded, type RecordedOptions } from '@skillpack/model-adapters';
import { cassetteFile } from '@skillpack/model-adapters/node';
import { makeFolder } from '../files/make-folder.js';

/** Where the calls of a judge are recorded, or played from. */
export interface JudgeCassettes {
  /** The folder of all recordings, absolute. */
  readonly folder: string;
  readonly redact: (text: string) => string;
}

/** A judge whose calls are recorded beside those of the trials: a file for each that it is asked. */
export function recordJudge(model: ModelAdapter, { folder, redact }: JudgeCassettes): Judge {
  const { name } = modelJudge(model);
  return {
    name,
    judge: async (request, how) => {
      const path = judgePath(folder, request, redact);
      makeFolder(dirname(path));
      const recording = await recorded(model, cassetteFile(path), { ...optionsOf(redact), mode: 'record' });
      try {
        const answer = await modelJudge(recording).judge(request, how);
        await recording.close();
        return answer;
      } catch (error) {
        await recording.discard();
        throw error;
      }
    },
  };
}

/**
 * A judge that says what was recorded: of the same answer and the same statements, and of nothing else.
 *
 * @param name what results call it.
 */
export function playJudge(name: string, { folder, redact }: JudgeCassettes): Judge {
  return {
    name: `model:${name}`,
    judge: async (request, how) => {
      const path = judgePath(folder, request, redact);
      if (!existsSync(path)) {
        throw new SkillsError(
          'RECORDING_NOT_FOUND',
          `The judge was not recorded on this answer: there is no ${path}.`,
          {
            hint: 'Record it again by --record, with --judge and the model.',
            data: { path },
          },
        );
      }
      return modelJudge(await recorded(undefined, cassetteFile(path), optionsOf(redact))).judge(request, how);
    },
  };
}

function optionsOf(redact: JudgeCassettes['redact']): RecordedOptions {
  return { redact };
}

/** By all that it is asked, so that trials can be judged in any order. No suite is called `_judge`. */
function judgePath(folder: string, request: Parameters<Judge['judge']>[0], redact: JudgeCassettes['redact']): string {
  const { task, answer, files, statements } = request;
  const asked = redact(
    canonicalJson({ task: [...task], answer, files: files.map((file) => ({ ...file })), statements: [...statements] }),
  );
  const digest = createHash('sha256').update(asked).digest('hex');
  return join(folder, '_judge', `${digest.slice(0, 32)}.jsonl`);
}
