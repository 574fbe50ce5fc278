import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { createWorld, finished, type World } from './run-skills.js';

let world: World;
let pack: string;
const running: ChildProcess[] = [];

beforeEach(() => {
  world = createWorld();
  pack = makeSkill(world.path('source', 'tool'), { pack: { name: 'acme/tool', version: '1.0.0' } });
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.kill('SIGTERM')) await finished(child);
  }
  world.remove();
});

/** Serves a registry by the built command; resolves once it has said where. */
async function serve(...extra: string[]): Promise<{ url: string; child: ChildProcess; output: () => string }> {
  return served(world.start(['registry', 'serve', world.path('registry'), '--json', ...extra]));
}

/** The same of a server that is started otherwise. */
async function served(child: ChildProcess): Promise<{ url: string; child: ChildProcess; output: () => string }> {
  running.push(child);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.endsWith('}\n')) resolve();
    });
    child.once('exit', () => reject(new Error('the server ended')));
  });
  const { data } = JSON.parse(output) as { data: { url: string } };
  return { url: data.url, child, output: () => output };
}

test('a pack travels from its author over HTTP to a project', async () => {
  const { url } = await serve('--token', 'secret-token');
  const env = { SKILLS_REGISTRY: url, SKILLS_TOKEN: 'secret-token' };
  const published = await world.run(['publish', pack, '--json'], { env });
  expect(published.json().data).toMatchObject({ registry: url, created: true, tags: { latest: '1.0.0' } });
  expect((await world.run(['publish', pack, '--json'], { env })).json().data.created).toBe(false);
  expect((await world.run(['search', 'tool', '--json'], { env })).json().data.packs).toHaveLength(1);
  const installed = await world.run(['install', 'acme/tool', '--json'], { env });
  expect(installed.json().data).toMatchObject({ changes: [{ kind: 'add' }], downloaded: { archives: 1 } });
  const lock = readFileSync(join(world.project, 'skillpack-lock.json'), 'utf8');
  expect(JSON.parse(lock)).toMatchObject({ packs: { 'acme/tool': { registry: url } } });
  expect(lock).not.toContain('secret-token');
});

test('other content under a published version is refused', async () => {
  const { url } = await serve('--token', 'secret-token');
  const env = { SKILLS_REGISTRY: url, SKILLS_TOKEN: 'secret-token' };
  await world.run(['publish', pack], { env });
  makeSkill(pack, { body: 'other', pack: { name: 'acme/tool', version: '1.0.0' } });
  const again = await world.run(['publish', pack, '--json'], { env });
  expect([again.exitCode, again.json().error?.code]).toEqual([4, 'VERSION_EXISTS']);
});

test('publish says which tags moved: an older line leaves latest where it is', async () => {
  const to = ['--to', world.path('registry')];
  makeSkill(pack, { pack: { name: 'acme/tool', version: '2.0.0' } });
  expect((await world.run(['publish', pack, ...to])).stdout).toContain(' as latest.');
  makeSkill(pack, { body: 'mended', pack: { name: 'acme/tool', version: '1.2.0' } });
  const planned = await world.run(['publish', pack, ...to, '--json', '--dry-run']);
  expect(planned.json().data).toMatchObject({ tags: {}, moved: [] });
  const older = await world.run(['publish', pack, ...to]);
  expect(older.stdout).toContain('without a tag. `latest` stays at 2.0.0;');
  makeSkill(pack, { body: 'mended more', pack: { name: 'acme/tool', version: '1.2.1' } });
  const asked = await world.run(['publish', pack, ...to, '--tag', 'latest', '--json']);
  expect(asked.json().data).toMatchObject({ created: true, tags: { latest: '1.2.1' }, moved: ['latest'] });
});

test('registry build finds a changed byte, and publishing the archive again mends it', async () => {
  const registry = world.path('registry');
  const digest = String((await world.run(['publish', pack, '--to', registry, '--json'])).json().data.digest);
  const blob = join(registry, 'blobs', 'sha256', digest.slice('sha256:'.length));
  const bytes = readFileSync(blob);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(blob, bytes);
  const found = await world.run(['registry', 'build', registry]);
  expect(found.exitCode).toBe(1);
  expect(found.stdout).toContain(`acme/tool@1.0.0: Its archive ${digest} is damaged.`);
  expect((await world.run(['publish', pack, '--to', registry])).stdout).toContain('is whole again.');
  expect((await world.run(['registry', 'build', registry])).exitCode).toBe(0);
});

test('publish --dry-run sends nothing', async () => {
  const { url } = await serve('--token', 'secret-token');
  const planned = await world.run(['publish', pack, '--to', url, '--dry-run', '--json']);
  expect(planned.json().data).toMatchObject({ name: 'acme/tool', dryRun: true, created: false });
  expect((await world.run(['search', 'tool', '--registry', url])).exitCode).toBe(1);
});

test('a token is sent only where the person wants it: never to a registry that a project names', async () => {
  const { url } = await serve('--token', 'secret-token');
  const refused = await world.run(['publish', pack, '--to', url, '--json']);
  expect([refused.exitCode, refused.json().error?.code]).toEqual([4, 'UNAUTHORIZED']);
  writeFileSync(join(world.project, 'skillpack.json'), JSON.stringify({ registries: { default: url } }));
  const withheld = await world.run(['publish', pack], { env: { SKILLS_TOKEN: 'secret-token' } });
  expect(withheld.exitCode).toBe(4);
  expect(withheld.stderr).toContain('SKILLS_TOKEN is not sent to');
  expect(withheld.stderr).not.toContain('secret-token');
  const file = join(world.home, '.agents', 'credentials.json');
  makeSkill(join(world.home, '.agents', 'skills', 'any'));
  writeFileSync(file, JSON.stringify({ registries: { [url]: { token: 'secret-token' } } }), { mode: 0o600 });
  expect((await world.run(['publish', pack])).exitCode).toBe(0);
});

test.skipIf(process.platform === 'win32')('credentials that others can read are refused', async () => {
  const { url } = await serve();
  makeSkill(join(world.home, '.agents', 'skills', 'any'));
  writeFileSync(join(world.home, '.agents', 'credentials.json'), '{"registries":{}}', { mode: 0o644 });
  const { exitCode, stderr } = await world.run(['search', 'tool', '--registry', url]);
  expect(exitCode).toBe(4);
  expect(stderr).toMatch(/^error\[CREDENTIALS_EXPOSED\]: .* has mode 0644/u);
  expect(stderr).toContain('hint: Run: chmod 600');
});

test('registry serve prints one document, answers, and ends with 0 when it is stopped', async () => {
  const { url, child, output } = await serve();
  expect((await fetch(new URL('registry.json', url))).status).toBe(200);
  child.kill('SIGINT');
  expect((await finished(child)).exitCode).toBe(0);
  expect(JSON.parse(output())).toMatchObject({ ok: true, data: { publishing: false, packs: 0 } });
});

test('registry serve says when its port is taken, and when a token cannot be sent', async () => {
  const { url } = await serve();
  const taken = await world.run(['registry', 'serve', world.path('other'), '--port', new URL(url).port, '--json']);
  expect([taken.exitCode, taken.json().error?.code]).toEqual([74, 'IO_ERROR']);
  const odd = await world.run(['registry', 'serve', world.path('other'), '--token', 'a b', '--json']);
  expect([odd.exitCode, odd.json().error?.code]).toEqual([2, 'USAGE']);
});

// What a process may write into one file is bounded, which fails as a full disk does: by a part that is written.
const bounded = 'ulimit -f 600; exec "$NODE" "$SKILLS"';

test.skipIf(process.platform === 'win32')(
  'a disk without room for an archive: it is told, nothing of the archive stays, and what fits is published after it',
  async () => {
    const registry = world.path('registry');
    const big = makeSkill(world.path('source', 'big'), { pack: { name: 'acme/big', version: '1.0.0' } });
    writeFileSync(join(big, 'weights.bin'), randomBytes(1_000_000));
    const left = () => readdirSync(join(registry, '.tmp'));
    const refused = await world.runShell(`${bounded} publish '${big}' --to '${registry}' --json`);
    expect([refused.exitCode, refused.json().error?.code, left()]).toEqual([74, 'IO_ERROR', []]);

    const server = world.startShell(`${bounded} registry serve '${registry}' --token secret-token --json`);
    let told = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => (told += text));
    const { url } = await served(server);
    const env = { SKILLS_REGISTRY: url, SKILLS_TOKEN: 'secret-token' };
    expect((await world.run(['publish', big], { env })).exitCode).not.toBe(0);
    expect(left()).toEqual([]);
    expect(told).toMatch(/^warning: a request failed, IO_ERROR: “blobs\/.*EFBIG\. Free some space/mu);
    expect((await world.run(['publish', pack], { env })).exitCode).toBe(0);
    expect((await world.runShell(`${bounded} registry build '${registry}'`)).exitCode).toBe(0);
  },
);

test('registry build adds packs to static files, finds damage, and says so', async () => {
  const registry = world.path('public');
  const built = await world.run(['registry', 'build', registry, pack, '--json']);
  expect(built.json().data).toMatchObject({ added: [{ name: 'acme/tool', created: true }], packs: 1, versions: 1 });
  const { digest } = (await world.run(['publish', pack, '--to', registry, '--json'])).json().data;
  writeFileSync(join(registry, 'versions', 'acme', 'tool', '1.0.0.json'), '{');
  const damaged = await world.run(['registry', 'build', registry]);
  expect([damaged.exitCode, digest]).toEqual([1, expect.stringMatching(/^sha256:/u)]);
  expect(damaged.stdout).toContain('acme/tool');
});

test('a skill that the discovery index does not list is told by registry build, whose answer is yes', async () => {
  const rival = world.path('rival');
  cpSync(pack, rival, { recursive: true });
  const manifest = join(rival, 'skillpack.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('acme/', 'rival/'));
  const words = ['registry', 'build', world.path('shared'), pack, rival];
  const built = await world.run([...words, '--json']);
  expect(built.exitCode, built.stdout).toBe(0);
  expect(built.json().data).toMatchObject({
    packs: 2,
    problems: [],
    notes: [{ subject: expect.stringMatching(/^rival\//u) }],
  });
  expect((await world.run(words)).stdout).toMatch(/^! rival\/.* another pack offers a skill of this name\.$/mu);
});

test('an install by URL', async () => {
  await world.run(['pack', pack, '--out', world.path('tool.tgz')]);
  const server = await listen((_, response) => response.end(readFileSync(world.path('tool.tgz'))));
  const installed = await world.run(['install', `${server.url}tool.tgz`, '--json']);
  server.close();
  expect(installed.json().data).toMatchObject({ changes: [{ kind: 'add', origin: { kind: 'url' } }] });
});

/** A server of one's own on this machine. */
async function listen(answer: RequestListener): Promise<{ url: string; close: () => Server }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
