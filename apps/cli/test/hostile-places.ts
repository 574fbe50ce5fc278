import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { archiveOfNastyName, nasty, nastyName } from './hostile-world.js';
import { answer, type Behaviour } from './lying-server.js';
import type { World } from './run-skills.js';

/** A place where text from outside enters. */
export type HostilePlace =
  | {
      readonly kind: 'disk';
      readonly where: string;
      /** Puts the attack there. @returns variables of the environment */
      readonly prepare: (world: World) => Readonly<Record<string, string>> | void;
    }
  /** Only commands that ask a registry are run against it. */
  | { readonly kind: 'server'; readonly where: string; readonly does: Behaviour };

const installed = '.agents/skills';
const record = `${installed}/.skillpack/evil/x`;

function inProject(where: string, path: string, text: string | ((present: string) => string)): HostilePlace {
  return {
    kind: 'disk',
    where,
    prepare: (world) => {
      const file = join(world.project, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof text === 'string' ? text : text(readFileSync(file, 'utf8')));
    },
  };
}

function inHome(where: string, path: string, text: string): HostilePlace {
  return {
    kind: 'disk',
    where,
    prepare: (world) => {
      const file = join(world.home, '.agents', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      chmodSync(file, 0o600);
    },
  };
}

function onDisk(where: string, prepare: (world: World) => void): HostilePlace {
  return { kind: 'disk', where, prepare };
}

function inNewestRun(where: string, file: string, text: (present: string) => string): HostilePlace {
  return onDisk(where, ({ project }) => {
    const runs = join(project, '.agents', 'runs');
    const path = join(runs, readdirSync(runs).toSorted().at(-1) ?? '', file);
    writeFileSync(path, text(existsSync(path) ? readFileSync(path, 'utf8') : ''));
  });
}

function environment(name: string, value: string = nasty): HostilePlace {
  return { kind: 'disk', where: `the variable ${name}`, prepare: () => ({ [name]: value }) };
}

/** Places with JSON are tried with a text that is none, with one in the keys, and with one in the values. */
function broken(where: string, place: (where: string, text: string) => HostilePlace, json: unknown): HostilePlace[] {
  return [
    place(`${where} that is no JSON`, `{"${nasty}`),
    place(`${where} with a wrong token`, `{"name": ${nasty}}`),
    place(`${where} with texts in wrong places`, JSON.stringify(json)),
    place(`${where} of another format`, JSON.stringify({ formatVersion: nasty, name: nasty })),
  ];
}

const explained = JSON.stringify({
  error: { code: 'UNAUTHORIZED', message: nasty, hint: nasty, data: { [nasty]: nasty, deep: [nasty] } },
});
const unknownCode = JSON.stringify({ error: { code: 'IO_ERROR', message: `${nasty}\n${nasty}`, hint: nasty } });
const says = (status: string, headers: readonly string[], body = ''): HostilePlace => ({
  kind: 'server',
  where: `an answer ${status.slice(0, 3)} with ${headers[0]?.split(':')[0] ?? 'a body'}${body === '' ? '' : ' and a body'}`,
  does: (socket) => answer(socket, body, { status, headers }),
});

/** Every place. Names of files with control characters exist on POSIX alone. */
export const hostilePlaces: readonly HostilePlace[] = [
  onDisk('the packs and the registry', () => undefined),
  ...broken('skillpack.json', (where, text) => inProject(where, 'skillpack.json', text), {
    name: nasty, version: nasty, packs: { [nasty]: nasty, 'evil/x': nasty }, registries: { [nasty]: nasty, default: nasty }, targets: [nasty], requires: { [nasty]: 1 },
  }),
  inProject('targets of skillpack.json', 'skillpack.json', JSON.stringify({ packs: { 'evil/x': '^1' }, targets: [nasty, `a/${nastyName}`] })),
  inProject('a range of skillpack.json', 'skillpack.json', JSON.stringify({ packs: { 'evil/x': nasty } })),
  inProject('a URL of skillpack.json', 'skillpack.json', JSON.stringify({ packs: { 'evil/x': `https://me:secret@127.0.0.1:9/${nasty}` } })),
  inProject('a path of skillpack.json', 'skillpack.json', JSON.stringify({ packs: { 'evil/x': `./${nasty}` } })),
  ...broken('the lock file', (where, text) => inProject(where, 'skillpack-lock.json', text), {
    formatVersion: 1, packs: { [nasty]: { version: nasty }, 'evil/x': { version: nasty, registry: nasty, skills: [nasty] } },
  }),
  inProject('a conflict in the lock file', 'skillpack-lock.json', (text) => `<<<<<<< ${nasty}\n${text}=======\n${nasty}\n>>>>>>> ${nasty}\n`),
  inProject('the registry in the lock file', 'skillpack-lock.json', (text) => text.replace(/"registry": ".*"/u, `"registry": ${JSON.stringify(`https://h/${nasty}`)}`)),
  ...broken('a receipt', (where, text) => inProject(where, `${record}/receipt.json`, text), { formatVersion: 1, name: nasty, version: nasty, source: { kind: nasty }, links: [nasty], [nasty]: nasty }),
  inProject('the location in a receipt', `${record}/receipt.json`, (text) => text.replace(/"location": ".*"/u, `"location": ${JSON.stringify(nasty)}`).replace('"links": []', `"links": [${JSON.stringify(nasty)}]`)),
  ...broken('an installed manifest', (where, text) => inProject(where, `${record}/manifest.json`, text), { formatVersion: 1, name: nasty, files: [{ path: nasty }], [nasty]: nasty }),
  ...broken('the journal', (where, text) => inProject(where, `${installed}/.skillpack/.transaction.json`, text), { formatVersion: 1, id: nasty, moves: [{ kind: nasty, to: nasty }] }),
  ...broken('the configuration of the project', (where, text) => inProject(where, '.agents/config.json', text), { registry: nasty, registries: { [nasty]: nasty, evil: nasty }, dirs: [nasty] }),
  ...broken('the person’s configuration', (where, text) => inHome(where, 'config.json', text), { cache: nasty, registry: nasty, dirs: [nasty], [nasty]: nasty }),
  ...broken('credentials', (where, text) => inHome(where, 'credentials.json', text), { registries: { [nasty]: { token: nasty } } }),
  ...broken('the list of trusted projects', (where, text) => inHome(where, 'trusted-projects.json', text), { formatVersion: 1, projects: [1, nasty] }),
  ...broken('a script of a model', (where, text) => inProject(where, 'model.json', text), { formatVersion: 1, rules: [{ name: nasty, when: { request: { regex: `[${nasty}` } } }] }),
  inHome('a model and limits', 'config.json', JSON.stringify({ model: nasty, limits: { [nasty]: nasty, turns: nasty } })),
  inNewestRun('a run.json', 'run.json', () => JSON.stringify({ formatVersion: 1, id: nasty, requests: [nasty] })),
  inNewestRun('a line of a record that is no JSON', 'events.jsonl', (present) => `{"${nasty}\n${present}`),
  inNewestRun('a line of a record that was torn', 'events.jsonl', (present) => `${present}\n{"${nasty}`),
  inNewestRun('an event of a record that was changed', 'events.jsonl', (present) => present.replace('"run_started"', JSON.stringify(nasty))),
  onDisk('a folder among the runs', ({ project }) => mkdirSync(join(project, '.agents', 'runs', nastyName))),
  inProject('the text of an installed skill', `${installed}/x/SKILL.md`, (text) => `${text}${nasty}`),
  inProject('front matter that is no YAML', `${installed}/y/SKILL.md`, `---\nname: "${nasty}\n  : ${nasty}\n---\n`),
  inProject('a skill without a description', `${installed}/y/SKILL.md`, `---\nname: ${JSON.stringify(nasty)}\n---\n`),
  inProject('front matter without an end', `${installed}/y/SKILL.md`, `---\n${nasty}`),
  inProject('front matter with a key twice', `${installed}/y/SKILL.md`, `---\n"${nastyName}": 1\n"${nastyName}": 2\n---\n`),
  onDisk('a file beside installed ones', ({ project }) => writeFileSync(join(project, installed, 'x', nastyName), nasty)),
  onDisk('a folder among the skills', ({ project }) => mkdirSync(join(project, installed, nastyName))),
  onDisk('a skill in a folder of that name', ({ project }) => {
    mkdirSync(join(project, installed, nastyName));
    writeFileSync(join(project, installed, nastyName, 'SKILL.md'), '---\nname: y\ndescription: y\n---\n');
  }),
  onDisk('a link among the skills', ({ project }) => symlinkSync(nastyName, join(project, installed, nastyName))),
  onDisk('a link beside installed files', ({ project }) => symlinkSync(`../${nastyName}`, join(project, installed, 'x', 'link'))),
  onDisk('a folder among the records', ({ project }) => mkdirSync(join(project, installed, '.skillpack', nastyName, nastyName), { recursive: true })),
  onDisk('a file among what is staged', ({ project }) => {
    mkdirSync(join(project, installed, '.skillpack', '.staging', nastyName), { recursive: true });
  }),
  onDisk('a file of a pack', (world) => writeFileSync(world.path('author', 'x', nastyName), nasty)),
  onDisk('a link in a pack', (world) => symlinkSync(nastyName, world.path('author', 'x', 'link'))),
  onDisk('an ignore file of a pack', (world) => writeFileSync(world.path('author', 'x', '.skillpackignore'), `${nasty}\n[${nasty}\n`)),
  onDisk('globs of a pack', (world) => writeFileSync(world.path('author', 'x', 'skillpack.json'), JSON.stringify({ name: 'evil/x', version: '3.0.0', skills: [nasty], files: [nasty] }))),
  onDisk('names in an archive', (world) => writeFileSync(world.path('evil.tgz'), archiveOfNastyName())),
  onDisk('an archive that is damaged', (world) => appendFileSync(world.path('evil.tgz'), nasty)),
  onDisk('files of a registry', (world) => {
    mkdirSync(world.path('registry', 'packs', nastyName), { recursive: true });
    writeFileSync(world.path('registry', 'versions', 'evil', 'x', `${nastyName}.json`), nasty);
    writeFileSync(world.path('registry', 'versions', 'evil', 'x', '9.0.0.json'), `{"version": "${nasty}"}`);
  }),
  onDisk('the index of a registry', (world) => writeFileSync(world.path('registry', 'packs', 'evil', 'x.ndjson'), `{"formatVersion":1,"name":"${nasty}"}`)),
  onDisk('the registry.json of a registry', (world) => writeFileSync(world.path('registry', 'registry.json'), JSON.stringify({ formatVersion: 1, id: nasty, name: nasty, packs: nasty, search: nasty }))),
  onDisk('the catalogue of a registry', (world) => writeFileSync(world.path('registry', 'search', 'latest.json'), JSON.stringify({ formatVersion: 1, generation: nasty, catalogue: nasty, packs: 1 }))),
  onDisk('revocations', (world) => writeFileSync(world.path('registry', 'revocations', 'latest.json'), `{"formatVersion":1,"revoked":[{"digest":"${nasty}"`)),
  onDisk('files of the cache', ({ home }) => {
    const folder = join(home, '.cache', 'skillpack', 'blobs', 'sha256', 'aa');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, nastyName), nasty);
  }),
  ...['SKILLS_REGISTRY', 'SKILLS_HOME', 'SKILLS_CACHE', 'SKILLS_DIRS', 'SKILLS_OFFLINE', 'SKILLS_MODEL', 'SKILLS_TOKEN', 'HTTPS_PROXY', 'HTTP_PROXY'].map((name) => environment(name)),
  environment('SKILLS_REGISTRY', `https://me:secret@127.0.0.1:9/${nasty}`),
  environment('HOME', `/${nastyName}`),
  says('401 Who', [`www-authenticate: Basic realm="${nasty.replaceAll(/[^\u0020-\u007E]/gu, '')}"`], explained),
  says('401 Who', ['www-authenticate: Basic realm="\u001B]0;owned\u0007"']),
  says(`500 \u009B31m`, ['content-type: application/json'], unknownCode),
  says('302 Found', [`location: https://127.0.0.1:9/\u009B31m\u00AD`]),
  says('302 Found', ['location: gopher://\u00AD\u009B']),
  says('200 OK', ['content-encoding: \u009B31m\u00AD'], nasty),
  says('200 OK', ['content-type: text/html'], `<title>${nasty}</title>`),
  says('200 OK', ['content-type: application/json'], `{"formatVersion":1,"name":"${nasty}","version":"${nasty}"}`),
  says('200 OK', ['etag: "\u009B31m"'], `{"formatVersion":1,"name":${JSON.stringify(nasty)},"id":${JSON.stringify(nasty)},"publish":${JSON.stringify(nasty)},"tags":{${JSON.stringify(nasty)}:"1.0.0"}}`),
  { kind: 'server', where: 'a first line', does: (socket) => void socket.end(`HTTP/1.1 \u001B[2J${nasty}\r\n\r\n`) },
  { kind: 'server', where: 'something that is no HTTP', does: (socket) => void socket.end(`${nasty}\r\n${nasty}\r\n\r\n`) },
]; // prettier-ignore
