import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArchiveReader } from '../../src/index.js';
import { skillText } from './hostile-archive.js';
import { readTree, type Tree } from './other-readers.js';
import { readArchive } from './read-archive.js';

const run = promisify(execFile);
let work: string;
let skills: Tree;

const long = `pdf/${'a-long-folder-name/'.repeat(8)}${'a-long-file-name-'.repeat(8)}.txt`;
const files: Readonly<Record<string, string>> = {
  'pdf/SKILL.md': skillText,
  'pdf/scripts/run.sh': '#!/bin/sh\necho run\n',
  'pdf/empty.txt': '',
  'pdf/words.txt': 'word '.repeat(20_000),
  'pdf/\u00FCber \u65E5\u672C.txt': 'unicode',
  [long]: 'long',
};

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'skillpack-'));
  for (const [path, text] of Object.entries(files)) {
    const place = join(work, 'in', path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  await mkdir(join(work, 'in/pdf/nothing-in-it'));
  skills = await readTree(join(work, 'in'));
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
  await run('git', [...git, 'init', '-q'], { cwd: join(work, 'in/pdf') });
  await run('git', [...git, 'add', '.'], { cwd: join(work, 'in/pdf') });
  await run('git', [...git, 'commit', '-q', '-m', 'Skill'], { cwd: join(work, 'in/pdf') });
});

afterAll(() => rm(work, { recursive: true }));

const python = (code: string) => [
  'python3',
  '-c',
  `import sys, os, tarfile, zipfile\nout = sys.argv[1]\n${code}`,
  'OUT',
];
const zipToStdout = `import sys, os, zipfile
z = zipfile.ZipFile(sys.stdout.buffer, "w", zipfile.ZIP_DEFLATED)
for d, _, fs in os.walk("pdf"):
  if ".git" not in d:
    for f in fs: z.write(os.path.join(d, f))
z.close()`;
const tools: Readonly<Record<string, readonly string[]>> = {
  'GNU tar': ['tar', '--exclude=.git', '-czf', 'OUT', 'pdf'],
  'GNU tar, ./': ['tar', '--exclude=.git', '-czf', 'OUT', '.'],
  'GNU tar, PAX': ['tar', '--exclude=.git', '--format=posix', '-czf', 'OUT', 'pdf'],
  'GNU tar, a blocking factor of 200': ['tar', '--exclude=.git', '-b', '200', '-czf', 'OUT', 'pdf'],
  'GNU tar, owners with large numbers': [
    'tar',
    '--exclude=.git',
    '--owner=a:3000000',
    '--group=b:4000000',
    '-czf',
    'OUT',
    'pdf',
  ],
  bsdtar: ['bsdtar', '--exclude', '.git', '-czf', 'OUT', 'pdf'],
  'bsdtar, PAX': ['bsdtar', '--exclude', '.git', '--format=pax', '-czf', 'OUT', 'pdf'],
  'bsdtar, GNU': ['bsdtar', '--exclude', '.git', '--format=gnutar', '-czf', 'OUT', 'pdf'],
  'bsdtar, zip': ['bsdtar', '--exclude', '.git', '--format=zip', '-cf', 'OUT', 'pdf'],
  'git archive': ['git', '-C', 'pdf', 'archive', '--format=tgz', '--prefix=pdf/', '-o', 'OUT', 'HEAD'],
  'git archive, zip': ['git', '-C', 'pdf', 'archive', '--format=zip', '--prefix=pdf/', '-o', 'OUT', 'HEAD'],
  'Info-ZIP': ['zip', '-q', '-r', 'OUT', 'pdf', '-x', '*/.git/*'],
  'Info-ZIP, zip64': ['zip', '-q', '-fz', '-r', 'OUT', 'pdf', '-x', '*/.git/*'],
  'Info-ZIP, no compression': ['zip', '-q', '-0', '-r', 'OUT', 'pdf', '-x', '*/.git/*'],
  'Info-ZIP, Unicode paths': ['zip', '-q', '-UN=UTF8', '-r', 'OUT', 'pdf', '-x', '*/.git/*'],
  'Info-ZIP to a pipe': ['sh', '-c', 'zip -q -r - pdf -x "*/.git/*" > "$1"', 'sh', 'OUT'],
  'Python tarfile, GNU': python(
    `t = tarfile.open(out, 'w:gz', format=tarfile.GNU_FORMAT)\nt.add('pdf', filter=lambda i: None if '.git' in i.name else i)\nt.close()`,
  ),
  'Python tarfile, PAX': python(
    `t = tarfile.open(out, 'w:gz', format=tarfile.PAX_FORMAT)\nt.add('pdf', filter=lambda i: None if '.git' in i.name else i)\nt.close()`,
  ),
  'Python zipfile': python(
    `z = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)\nfor d, _, fs in os.walk('pdf'):\n  if '.git' not in d:\n    for f in fs: z.write(os.path.join(d, f))\nz.close()`,
  ),
  'Python zipfile to a pipe': ['sh', '-c', `python3 -c '${zipToStdout}' | cat > "$1"`, 'sh', 'OUT'],
};

async function make(tool: string): Promise<Buffer | undefined> {
  const [command = '', ...args] = tools[tool] ?? [];
  // Info-ZIP appends .zip to a name without one.
  const out = join(await mkdtemp(join(work, 'out-')), 'out.zip');
  try {
    const env = { ...process.env, LC_ALL: 'C.UTF-8', PYTHONUTF8: '1' };
    await run(
      command,
      args.map((arg) => (arg === 'OUT' ? out : arg)),
      { cwd: join(work, 'in'), env },
    );
    return await readFile(out);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

test.for(Object.keys(tools))('PSA-32: is read as it was packed: %s', async (tool, context) => {
  const archive = await make(tool);
  context.skip(archive === undefined, `no ${tool} here`);
  const opened = await createArchiveReader().open(archive ?? Buffer.alloc(0));
  expect(opened.ignored).toEqual([]);
  expect(await readArchive(archive ?? Buffer.alloc(0))).toEqual(skills);
});
