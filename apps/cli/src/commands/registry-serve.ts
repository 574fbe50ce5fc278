import { resolve } from 'node:path';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';
import { reportError } from '../frame/render-error.js';
import { serveFolder } from '../author/serve-folder.js';
import { renderServedFolder } from '../render/render-served-folder.js';

export const registryServe = defineCommand({
  description:
    'Serves the registry in a folder on 127.0.0.1, with search, and with publishing for whoever bears the token. ' +
    'Without a token nobody may publish. Runs until it is stopped (Ctrl-C, SIGTERM).',
  arguments: {
    dir: { count: 'one', placeholder: 'dir', description: 'the folder of the registry; made when it is not there' },
  },
  options: {
    port: { kind: 'number', placeholder: 'n', least: 0, most: 65_535, description: 'port (default: any that is free)' },
    token: {
      kind: 'value',
      placeholder: 'text',
      description: 'token to publish with; better: SKILLS_TOKEN, which no process list shows',
    },
  },
  examples: [
    ['skills registry serve ./registry --port 4873', 'a registry for this machine'],
    ['skills registry serve ./registry --json', 'one JSON document with the URL once it listens'],
  ],
  async run({ dir, port, token }, app) {
    const settings = await app.settings();
    const onFailure = (error: unknown): void => {
      const { code, message, hint } = reportError(error, false).json;
      app.reporter.warn(`a request failed, ${code}: ${message} ${hint ?? ''}`.trimEnd());
    };
    const ports = {
      archives: () => app.archives(),
      folderRegistry: (folder: string) => app.folderRegistry(folder),
      signal: app.signal,
      onFailure,
    };
    const served = await serveFolder(resolve(app.cwd, dir), ports, { port, token: token ?? settings.token });
    for (const { subject, message } of [...served.problems, ...served.notes])
      app.reporter.warn(`${subject}: ${message}`);
    const { until, ...data } = served;
    return answer(data, renderServedFolder, { until });
  },
});
