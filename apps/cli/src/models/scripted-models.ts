import { resolve } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { parseScript, scripted, searchAndAnswer } from '@skillpack/model-adapters';
import { readRegularFile } from '../files/read-regular-file.js';
import { knownPath } from './known-path.js';
import type { ChosenModel, ModelPlace, ModelProvider } from './model-provider.js';

const builtinScript = 'search-and-answer';
const maxScriptBytes = 1024 * 1024;

/** Models that say what a file says: `scripted`, `scripted:script.yaml`. */
export const scriptedModels: ModelProvider = {
  choose: (name, place) => {
    if (name !== undefined && name !== builtinScript) return chooseScript(name, place);
    const model = scripted(searchAndAnswer, { name: `scripted:${builtinScript}`, keptRequests: 0 });
    return { secrets: [], open: async () => model };
  },
};

function chooseScript(name: string, { cwd, projectDir, answered, recorded }: ModelPlace): ChosenModel {
  const path = resolve(cwd, name);
  const bytes = readRegularFile(path, { maxBytes: maxScriptBytes });
  if (bytes === undefined) {
    throw new SkillsError('FILE_NOT_FOUND', `There is no script ${quoted(path)}.`, {
      hint: recorded
        ? 'The run was begun with it. Another model is named by --model scripted:<file>.'
        : 'Check what stands behind “scripted:”.',
      data: { path },
    });
  }
  const script = parseScript(bytes.toString('utf8'), { fileName: path });
  // Rules go by the conversation; a list of replies goes on where it was.
  const rest = 'rules' in script ? script : script.slice(answered);
  const model = scripted(rest, { name: `scripted:${knownPath(path, projectDir)}`, keptRequests: 0 });
  return { secrets: [], open: async () => model };
}
