import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, untilItAnswers } from '../../test/registry/local-server.ts';

/** An npm registry on this machine. */
export interface Verdaccio {
  /** With a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where the verdaccio of the tools is started from; `undefined` when it is not installed. */
export function verdaccioProgram(tools: string): string | undefined {
  const program = join(tools, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  return existsSync(program) ? program : undefined;
}

/** Starts verdaccio on packages in a folder. It asks no other registry, and everybody may publish. */
export async function startVerdaccio(program: string, folder: string): Promise<Verdaccio> {
  const port = await freePort();
  await mkdir(join(folder, 'storage'), { recursive: true });
  const config = join(folder, 'verdaccio.yaml');
  const everybody = { access: '$all', publish: '$all', unpublish: '$all' };
  // JSON is YAML, too.
  await writeFile(
    config,
    JSON.stringify({
      storage: join(folder, 'storage'),
      auth: { htpasswd: { file: join(folder, 'htpasswd') } },
      uplinks: {},
      packages: { '**': everybody },
      max_body_size: '300mb',
      log: { type: 'stdout', format: 'pretty', level: 'error' },
      web: { enable: false },
    }),
  );
  const child = spawn(process.execPath, [program, '-c', config, '-l', `http://127.0.0.1:${port}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const url = `http://127.0.0.1:${port}/`;
  await untilItAnswers(`${url}-/ping`);
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(config, { force: true });
    },
  };
}
