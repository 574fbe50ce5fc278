/*
 * The page of `page/`, bundled, and below registry/ the registry that it shows: one server, so that a browser lets the
 * page read what it says. `node examples/browser/serve.ts [registry folder]`, after `pnpm build`; then open the address
 * that it prints. Without a folder it shows the skills that come with the command.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createArchiveReader, createArchiveWriter, packSkills } from '@skillpack/cli-dist';
import { createFolderRegistry, createRegistryServer, serveRegistry } from '@skillpack/registry-http/server';
import { build } from 'esbuild';

const page = join(import.meta.dirname, 'page');
const bundle = await build({
  entryPoints: [join(page, 'main.ts')],
  bundle: true,
  // What is needed by few pages, such as the YAML library, is in chunks of its own, and loads when it is needed.
  splitting: true,
  outdir: page,
  format: 'esm',
  target: 'es2022',
  minify: true,
  write: false,
});
const files = new Map([
  ['/', { type: 'text/html; charset=utf-8', body: await readFile(join(page, 'index.html'), 'utf8') }],
  ...bundle.outputFiles.map(({ path, text }) => {
    return [`/${basename(path)}`, { type: 'text/javascript; charset=utf-8', body: text }] as const;
  }),
]);

const [given] = process.argv.slice(2);
const folder = given ?? (await mkdtemp(join(tmpdir(), 'skillpack-example-')));
const archives = createArchiveReader();
const stored = createFolderRegistry(folder, { archives, writer: createArchiveWriter(), now: () => new Date() });
if (given === undefined) {
  for (const name of ['pdf', 'release-notes', 'table']) {
    const { archive } = await packSkills(`skills-builtin/${name}`, { format: 'tgz' });
    await stored.publish({ archive, format: 'tgz' });
  }
}
const registry = createRegistryServer(stored, { archives });

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const file = files.get(url.pathname);
  if (file !== undefined) return new Response(file.body, { headers: { 'content-type': file.type } });
  if (!url.pathname.startsWith('/registry/')) return new Response('Nothing here.\n', { status: 404 });
  url.pathname = url.pathname.slice('/registry'.length);
  return registry(new Request(url, request));
}

const server = await serveRegistry(answer);
console.log(server.url);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void (async () => {
      await server.close();
      if (given === undefined) await rm(folder, { recursive: true });
    })();
  });
}
