import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, untilItAnswers } from './local-server.ts';

/** nginx, serving a folder. */
export interface Nginx {
  readonly url: string;
  close(): Promise<void>;
}

const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].find((path) =>
  existsSync(path),
);

/**
 * Why tests with nginx are left out, or `false`. In continuous integration on Linux they never are: there, they fail
 * instead.
 */
export const withoutNginx: string | false =
  program === undefined && (process.env['CI'] === undefined || process.platform !== 'linux')
    ? 'nginx is not installed (Debian: apt-get install nginx-light), so nothing was tested with it'
    : false;

/** Starts nginx on a free port of this machine, with the configuration that docs/registry.md shows. */
export async function startNginx(folder: string): Promise<Nginx> {
  if (program === undefined)
    throw new Error('nginx is not installed; these tests need it (apt-get install nginx-light)');
  const prefix = await mkdtemp(join(tmpdir(), 'skillpack-nginx-'));
  // Started by root, its workers are another user, who has to reach the files.
  await Promise.all([prefix, folder].map((path) => chmod(path, 0o755)));
  await mkdir(join(prefix, 'temp'));
  const port = await freePort();
  const configuration = join(prefix, 'nginx.conf');
  await writeFile(configuration, configurationOf(prefix, folder, port));
  const child = spawn(program, ['-p', prefix, '-c', configuration, '-e', join(prefix, 'error.log')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const url = `http://127.0.0.1:${port}/`;
  await untilItAnswers(url);
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(prefix, { recursive: true, force: true });
    },
  };
}

function configurationOf(prefix: string, folder: string, port: number): string {
  return `
daemon off;
worker_processes 1;
pid ${prefix}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${prefix}/temp/body;
  proxy_temp_path ${prefix}/temp/proxy;
  fastcgi_temp_path ${prefix}/temp/fastcgi;
  scgi_temp_path ${prefix}/temp/scgi;
  uwsgi_temp_path ${prefix}/temp/uwsgi;
  types { application/json json; application/x-ndjson ndjson; application/gzip gz; text/markdown md; }
  default_type application/octet-stream;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    gzip on;
    gzip_types application/json application/x-ndjson;
    location / { add_header Cache-Control "public, max-age=60"; }
    location /blobs/ { gzip off; add_header Cache-Control "public, max-age=31536000, immutable"; }
  }
}
`;
}
