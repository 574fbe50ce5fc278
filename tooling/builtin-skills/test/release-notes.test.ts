import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Outcome, runScript, temporaryFolder } from './run-script.js';

interface Reference {
  readonly text: string;
  readonly url: string | null;
}

interface Change {
  readonly subject: string;
  readonly type: string | null;
  readonly scope: string | null;
  readonly breaking: string | null;
  readonly authors: readonly { readonly name: string; readonly handle: string | null }[];
  readonly references: readonly Reference[];
  readonly url: string | null;
}

interface Notes {
  readonly title: string;
  readonly date: string;
  readonly from: string | null;
  readonly to: string;
  readonly commits: number;
  readonly compareUrl: string | null;
  readonly url: string | null;
  readonly breaking: readonly Change[];
  readonly groups: readonly { readonly id: string; readonly changes: readonly Change[] }[];
  readonly authors: readonly { readonly name: string; readonly commits: number; readonly first: boolean | null }[];
  readonly notes: readonly string[];
}

interface CommitOptions {
  readonly author?: string;
  readonly config?: readonly string[];
  readonly file?: string;
}

/** A real repository in a temporary folder; one minute passes with every commit. */
class Repository {
  private clock = Date.UTC(2026, 0, 1);
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Repository> {
    const repository = new Repository(await temporaryFolder());
    repository.git(['init', '--quiet', '--initial-branch=main']);
    return repository;
  }

  get path(): string {
    return this.folder;
  }

  git(args: readonly string[], input?: Buffer): string {
    const date = new Date(this.clock).toISOString();
    const env = {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
      GIT_COMMITTER_NAME: 'Committer',
      GIT_COMMITTER_EMAIL: 'committer@example.org',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
    };
    return execFileSync('git', [...args], { cwd: this.folder, env, input, stdio: ['pipe', 'pipe', 'pipe'] })
      .toString()
      .trim();
  }

  commit(message: string | Buffer, { author, config = [], file }: CommitOptions = {}): string {
    this.clock += 60_000;
    const by = author === undefined ? [] : [`--author=${author}`];
    const settings = config.flatMap((setting) => ['-c', setting]);
    if (file !== undefined) this.git(['add', file]);
    const bytes = Buffer.from(message);
    this.git(
      [
        ...settings,
        'commit',
        '--quiet',
        '--allow-empty',
        '--allow-empty-message',
        '--cleanup=verbatim',
        ...by,
        '--file=-',
      ],
      bytes,
    );
    return this.git(['rev-parse', 'HEAD']);
  }

  merge(branch: string, message: string): void {
    this.clock += 60_000;
    this.git(['merge', '--quiet', '--no-ff', '-m', message, branch]);
  }

  async run(...args: string[]): Promise<Outcome> {
    const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    return runScript('release-notes/scripts/release-notes.mjs', args, { cwd: this.folder, env });
  }

  async notes(...args: string[]): Promise<Notes> {
    const { code, stdout, stderr } = await this.run('--format', 'json', ...args);
    if (code !== 0) throw new Error(`The script ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Notes;
  }
}

function subjects(notes: Notes): Record<string, string[]> {
  return Object.fromEntries(notes.groups.map(({ id, changes }) => [id, changes.map(({ subject }) => subject)]));
}

function allSubjects(notes: Notes): string[] {
  return notes.groups.flatMap(({ changes }) => changes.map(({ subject }) => subject)).toSorted();
}

describe('the range', () => {
  test('is what came after the newest tag, or between two tags when the end is tagged', async () => {
    const repository = await Repository.create();
    repository.commit('feat: one');
    repository.git(['tag', 'v1.0.0']);
    repository.commit('feat: two');
    repository.git(['tag', '-a', '-m', 'annotated', 'v1.1.0']);
    const tagged = await repository.notes();
    expect(tagged).toMatchObject({ title: 'v1.1.0', from: 'v1.0.0', to: 'v1.1.0', commits: 1 });
    repository.commit('feat: three');
    const ahead = await repository.notes();
    expect(ahead).toMatchObject({ title: 'Unreleased', from: 'v1.1.0', to: 'HEAD', date: '2026-01-01' });
    expect(allSubjects(ahead)).toEqual(['three']);
    expect(allSubjects(await repository.notes('--from', 'v1.0.0'))).toEqual(['three', 'two']);
    expect(allSubjects(await repository.notes('--from', 'v1.0.0', '--to', 'v1.1.0'))).toEqual(['two']);
    expect(await repository.notes('--to', 'v1.0.0')).toMatchObject({ title: 'v1.0.0', from: null, commits: 1 });
    expect(allSubjects(await repository.notes('--from', 'HEAD~1'))).toEqual(['three']);
    expect(allSubjects(await repository.notes('--since', '2026-01-01T00:02:30Z'))).toEqual(['three']);
  });

  test('follows a pattern of tags, and leaves prereleases out when asked', async () => {
    const repository = await Repository.create();
    repository.commit('feat: one');
    repository.git(['tag', 'core-v1.0.0']);
    repository.commit('feat: two');
    repository.git(['tag', 'v2.0.0-rc.1']);
    repository.commit('feat: three');
    expect((await repository.notes()).from).toBe('v2.0.0-rc.1');
    expect((await repository.notes('--skip-prereleases')).from).toBe('core-v1.0.0');
    expect((await repository.notes('--tags', 'core-v*')).from).toBe('core-v1.0.0');
  });

  test('without tags is the whole history, and says so', async () => {
    const repository = await Repository.create();
    repository.commit('Add one');
    repository.commit('Add two');
    const { code, stderr } = await repository.run();
    expect([code, stderr]).toEqual([0, 'note: no earlier tag was found: the notes cover the whole history\n']);
    expect((await repository.notes()).commits).toBe(2);
  });

  test('may be empty', async () => {
    const repository = await Repository.create();
    repository.commit('feat: one');
    repository.git(['tag', 'v1']);
    const { code, stdout, stderr } = await repository.run('--from', 'v1');
    expect(code).toBe(0);
    expect(stdout).toContain('\nNo changes.\n');
    expect(stderr).toBe('note: there are no commits between v1 and HEAD\n');
  });

  test('of a shallow clone is said to be incomplete', async () => {
    const repository = await Repository.create();
    for (const name of ['one', 'two', 'three']) repository.commit(`feat: ${name}`);
    const clone = join(await temporaryFolder(), 'clone');
    repository.git(['clone', '--quiet', '--depth=2', `file://${repository.path}`, clone]);
    const { code, stdout, stderr } = await repository.run('--repo', clone, '--format', 'json');
    expect(code).toBe(0);
    expect(stderr).toContain('note: the clone is shallow: ');
    expect(allSubjects(JSON.parse(stdout) as Notes)).toEqual(['three', 'two']);
    expect((await repository.run('--repo', clone, '--from', 'v0')).stderr).toContain('git fetch --unshallow');
  });

  test('can be confined to paths', async () => {
    const repository = await Repository.create();
    await mkdir(join(repository.path, 'a'));
    for (const file of ['a/1', 'b', '[c]']) {
      await writeFile(join(repository.path, file), '');
      repository.commit(`feat: ${file}`, { file: `./${file}` });
    }
    expect(allSubjects(await repository.notes('--path', 'a'))).toEqual(['a/1']);
    expect(allSubjects(await repository.notes('--path', 'a', '--path', '[c]'))).toEqual(['[c]', 'a/1']);
  });
});

describe('commits', () => {
  test('are grouped by their type, or by what their first word says', async () => {
    const repository = await Repository.create();
    const messages = [
      'feat(parser): read tables',
      'FIX: a crash',
      'perf: half the time',
      'docs: more examples',
      'chore(deps): newer things',
      'wat: is no known type',
      'Adds a window',
      'Fixed the door',
      'Remove the floor',
      'Improve the roof',
      'Bump glass from 1 to 2',
      'Something else',
    ];
    for (const message of messages) repository.commit(message);
    expect(subjects(await repository.notes())).toEqual({
      features: ['Adds a window', 'read tables'],
      fixes: ['Fixed the door', 'a crash'],
      performance: ['half the time'],
      documentation: ['more examples'],
      changes: ['Improve the roof'],
      removed: ['Remove the floor'],
      maintenance: ['Bump glass from 1 to 2', 'newer things'],
      other: ['Something else', 'wat: is no known type'],
    });
    const { stdout } = await repository.run();
    expect(stdout).toContain('- **parser:** read tables (');
    expect(stdout).toContain('\n2 maintenance commits are not listed.\n');
    expect(stdout).not.toContain('newer things');
    expect((await repository.run('--all')).stdout).toContain('### Maintenance\n\n- Bump glass');
  });

  test('that break something are listed first, with what their footer says', async () => {
    const repository = await Repository.create();
    repository.commit('feat!: new engine');
    repository.commit('fix: tables\n\nLong story.\n\nBREAKING CHANGE: cells are\nnumbers now\nReviewed-by: Zoë');
    repository.commit('Rework it all\n\nBREAKING-CHANGE: nothing works');
    repository.commit('Stop! This is: not conventional');
    const notes = await repository.notes();
    expect(notes.breaking.map(({ breaking }) => breaking)).toEqual([
      'nothing works',
      'cells are numbers now',
      'new engine',
    ]);
    const { stdout } = await repository.run();
    expect(stdout.indexOf('### Breaking changes')).toBeLessThan(stdout.indexOf('### Features'));
  });

  test('and their reverts cancel each other, unless the revert was reverted', async () => {
    const repository = await Repository.create();
    const gone = repository.commit('feat: gone');
    const kept = repository.commit('feat: kept');
    repository.commit(`Revert "feat: gone"\n\nThis reverts commit ${gone}.`);
    const revert = repository.commit(`Revert "feat: kept"\n\nThis reverts commit ${kept}.`);
    repository.commit(`Revert "Revert"\n\nThis reverts commit ${revert}.`);
    repository.commit('revert: an older thing\n\nThis reverts commit 0123456789abcdef.');
    expect(subjects(await repository.notes())).toEqual({ features: ['kept'], reverts: ['an older thing'] });
  });

  test('that were merged carry their pull request; --first-parent lists the requests instead', async () => {
    const repository = await Repository.create();
    repository.git(['remote', 'add', 'origin', 'https://github.com/acme/roof.git']);
    repository.commit('feat: base');
    repository.git(['checkout', '--quiet', '-b', 'topic']);
    repository.commit('fix: one part');
    repository.commit('fix: other part');
    repository.git(['checkout', '--quiet', 'main']);
    repository.commit('docs: meanwhile (#3)');
    repository.merge('topic', 'Merge pull request #17 from ada/topic\n\nfix: the whole leak');
    const notes = await repository.notes();
    const fixes = notes.groups.find(({ id }) => id === 'fixes')?.changes ?? [];
    expect(fixes.map(({ subject, references }) => [subject, references])).toEqual([
      ['other part', [{ text: '#17', url: 'https://github.com/acme/roof/pull/17' }]],
      ['one part', [{ text: '#17', url: 'https://github.com/acme/roof/pull/17' }]],
    ]);
    expect(subjects(notes)['documentation']).toEqual(['meanwhile']);
    const merged = await repository.notes('--first-parent');
    expect(subjects(merged)).toEqual({ features: ['base'], fixes: ['the whole leak'], documentation: ['meanwhile'] });
  });

  test('name their authors, with co-authors and who is new', async () => {
    const repository = await Repository.create();
    repository.commit('feat: base');
    repository.git(['tag', 'v1']);
    repository.commit('feat: more', { author: 'Zoë <12+zoe-d@users.noreply.github.com>' });
    repository.commit('feat: pair\n\nCo-authored-by: 王小明 <wang@example.org>\nco-authored-by: Zoë <z@example.org>');
    const notes = await repository.notes();
    expect(notes.authors).toEqual([
      { name: 'Zoë', handle: 'zoe-d', commits: 2, first: true },
      { name: 'Ada', handle: null, commits: 1, first: false },
      { name: '王小明', handle: null, commits: 1, first: true },
    ]);
    expect((await repository.run()).stdout).toContain('- 王小明: 1 commit, for the first time\n');
    expect((await repository.run('--no-authors')).stdout).not.toContain('Contributors');
    expect(JSON.stringify(notes)).not.toContain('@example.org');
  });

  test('may be written in another encoding, declared or not', async () => {
    const repository = await Repository.create();
    const latin = Buffer.from('feat: Größe', 'latin1');
    repository.commit(latin, { config: ['i18n.commitEncoding=ISO-8859-1'] });
    repository.commit(Buffer.concat([latin, Buffer.from(' zwei')]));
    repository.commit('feat: 大小');
    repository.commit('');
    expect(allSubjects(await repository.notes())).toEqual(['(no message)', 'Größe', 'Größe zwei', '大小'].toSorted());
  });
});

describe('links', () => {
  test.each([
    ['git@github.com:acme/roof.git', 'https://github.com/acme/roof', 'commit/', 'issues/5'],
    ['ssh://git@github.com:22/acme/roof', 'https://github.com/acme/roof', 'commit/', 'issues/5'],
    ['https://user:token@gitlab.example.org/a/b/c.git', 'https://gitlab.example.org/a/b/c', '-/commit/', '-/issues/5'],
    ['https://bitbucket.org/acme/roof', 'https://bitbucket.org/acme/roof', 'commits/', 'issues/5'],
    ['https://git.example.org:8443/acme/roof/', 'https://git.example.org:8443/acme/roof', 'commit/', 'issues/5'],
  ])('of %s lead to %s', async (remote, base, commit, issue) => {
    const repository = await Repository.create();
    repository.git(['remote', 'add', 'origin', remote]);
    const sha = repository.commit('fix: a leak\n\nCloses #5, see other/repo#7 and PR-9#x.');
    const { stdout } = await repository.run();
    expect(stdout).toContain(`[${sha.slice(0, 7)}](${base}/${commit}${sha})`);
    expect(stdout).toContain(`[#5](${base}/${issue})`);
    expect(stdout).toContain(`[other/repo#7](${new URL('/', base).href}other/repo/`);
    expect(stdout).not.toMatch(/token|#x/u);
  });

  test.each(['/srv/git/roof', 'file:///srv/git/roof', 'C:\\git\\roof', 'javascript:alert(1)', 'ext::sh -c id'])(
    'are left out for %s',
    async (remote) => {
      const repository = await Repository.create();
      repository.git(['config', 'remote.origin.url', remote]);
      repository.commit('fix: a leak (#5)');
      const { stdout } = await repository.run();
      expect(stdout).toMatch(/^- a leak \(#5, [0-9a-f]{7}\)$/mu);
    },
  );

  test('compare the two ends', async () => {
    const repository = await Repository.create();
    repository.commit('feat: one');
    repository.git(['tag', 'v1']);
    repository.commit('feat: two');
    repository.git(['tag', 'rel/v2']);
    const { stdout } = await repository.run('--url', 'https://github.com/acme/roof');
    expect(stdout).toContain('## rel/v2 (2026-01-01)');
    expect(stdout).toContain('[All changes since v1](https://github.com/acme/roof/compare/v1...rel/v2)');
  });
});

describe('hostile input', () => {
  test.each([
    '--upload-pack=touch pwned',
    '-c',
    '--output=pwned',
    '',
    'a b',
    'a..b',
    ':/fix',
    'HEAD:file',
    '^main',
    'x\ny',
  ])('the ref %j never reaches git as an option', async (ref) => {
    const repository = await Repository.create();
    repository.commit('feat: one');
    for (const option of ['--from', '--to']) {
      const outcome = await repository.run(`${option}=${ref}`);
      expect(outcome).toMatchObject({ code: 2, stdout: '' });
      expect(outcome.stderr).toContain(`error USAGE: ${option} takes the name of a tag, branch or commit`);
    }
    expect(await readdir(repository.path)).toEqual(['.git']);
  });

  test('other values stay values', async () => {
    const repository = await Repository.create();
    repository.commit('feat: one');
    await repository.run('--since=--output=pwned', '--path=--output=pwned', '--tags=--help');
    expect((await repository.run('--remote=--upload-pack=x')).code).toBe(2);
    expect((await repository.run('--url=javascript:alert(1)')).code).toBe(2);
    expect(await readdir(repository.path)).toEqual(['.git']);
  });

  test('a repository cannot start programs by its settings', async () => {
    const repository = await Repository.create();
    repository.commit('feat: one');
    const trap = join(repository.path, '.git', 'trap.sh');
    const sprung = join(repository.path, '.git', 'sprung');
    await writeFile(trap, `#!/bin/sh\ntouch '${sprung}'\n`, { mode: 0o755 });
    for (const setting of [
      'gpg.program',
      'core.pager',
      'core.fsmonitor',
      'pager.log',
      'core.sshCommand',
      'core.editor',
    ]) {
      repository.git(['config', setting, trap]);
    }
    repository.git(['config', 'log.showSignature', 'true']);
    expect((await repository.run()).code).toBe(0);
    expect(existsSync(sprung)).toBe(false);
  });

  test('messages become text, not markup', async () => {
    const repository = await Repository.create();
    repository.commit(
      'feat: <img src=x onerror=alert(1)> [click](javascript:x) *bold* `code <b>` snake_case \u001B[31m\u202Ered',
    );
    repository.commit('Add x\n\nCo-authored-by: *Mallory* [x](y) & co <m@example.org>');
    const { stdout } = await repository.run();
    expect(stdout).toContain(
      '- &lt;img src=x onerror=alert(1)&gt; \\[click\\](javascript:x) \\*bold\\* `code <b>` snake_case \\[31mred (',
    );
    expect(stdout).toContain('- \\*Mallory\\* \\[x\\](y) & co: 1 commit');
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
    expect(stdout.replaceAll(/`[^`]*`/gu, '')).not.toMatch(/<\w/u);
  });
});

describe('errors', () => {
  test('name what is missing', async () => {
    const empty = await Repository.create();
    expect((await empty.run()).stderr).toContain('error NO_COMMITS: ');
    empty.commit('feat: one');
    const missing = await empty.run('--from', 'v9');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toMatch(/^error NO_SUCH_REF: There is no tag, branch or commit “v9” here\.\nhint: /u);
    empty.commit('feat: two');
    expect((await empty.run('--limit', '1')).stderr).toContain('error TOO_MANY_COMMITS: ');
    const nowhere = await empty.run('--repo', await temporaryFolder());
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('error NOT_A_REPOSITORY: ');
  });

  test('a machine without git is told so', async () => {
    const env = { PATH: '', Path: '' };
    const { code, stderr } = await runScript('release-notes/scripts/release-notes.mjs', [], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error GIT_MISSING: ')]);
  });

  test.each([
    [['--format', 'html']],
    [['--limit', '0']],
    [['v1']],
    [['--nonsense']],
    [['--from', 'a', '--since', 'b']],
  ])('of usage end with 2: %j', async (args) => {
    const outcome = await runScript('release-notes/scripts/release-notes.mjs', args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error USAGE: /u);
  });
});
