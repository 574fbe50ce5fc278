#!/usr/bin/env node
// release-notes.mjs: release notes out of a git history. Needs only Node 18.3 or newer and git.
// Copyright the skillpack authors, Apache-2.0. Run it with --help.

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const VERSION = '1.0.0';

const HELP = `Usage: node release-notes.mjs [options]        (reads the git repository of the working directory)

Which commits
      --from REF            after this tag, branch or commit (default: the newest tag before --to; without one, from the start)
      --to REF              up to and including this one (default HEAD)
      --since DATE          only commits after this date, e.g. 2026-01-31 or "2 weeks ago"; then no tag is looked for
      --tags PATTERN        look only for tags like this, e.g. "v*" or "core-v*"
      --skip-prereleases    look only for tags without a hyphen after a digit (not v2.0.0-rc.1)
      --path PATH           only commits that touch this path; may be given several times
      --first-parent        one entry for each merged branch or pull request, by its title

What comes out
      --format F            markdown (default) or json
      --title TEXT          heading (default: the tag at --to, else Unreleased)
      --all                 list maintenance (build, ci, chore, style, test, refactor, dependencies) too
      --no-authors          leave out who contributed
      --url URL             base of the links, e.g. https://github.com/org/repo (default: from the remote)
      --remote NAME         the remote to take it from (default origin)

      --repo DIR            another repository
      --limit N             refuse more than N commits (default 5000)
  -h, --help, --version

Nothing is written, fetched or changed. Notes for you go to stderr.
Exit codes: 0 done (also when there are no changes), 1 not possible (stderr says “error CODE: what” and “hint: next
step”), 2 wrong usage
`;

/**
 * @typedef {{ sha: string, parents: string[], name: string, email: string, date: string, message: string }} Commit
 * @typedef {{ text: string, url: string | null }} Reference
 * @typedef {{
 *   sha: string, subject: string, type: string | null, scope: string | null, breaking: string | null,
 *   group: GroupId, authors: Author[], references: Reference[],
 * }} Change
 * @typedef {{ name: string, handle: string | null }} Author
 * @typedef {'features' | 'fixes' | 'performance' | 'changes' | 'removed' | 'reverts' | 'documentation' | 'other' | 'maintenance'} GroupId
 */

class Failure extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {string} hint
   */
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** @param {string} message */
const usage = (message) => new Failure('USAGE', message, 'Run with --help to see every option.');

// ---------------------------------------------------------------------------------------------------------------------
// git
// ---------------------------------------------------------------------------------------------------------------------

/** What a repository may not bring along: programs to start, hosts to call. */
const HARDENING = [
  '--no-pager',
  '--literal-pathspecs',
  ...['log.showSignature=false', 'core.fsmonitor=false', 'core.hooksPath=', 'protocol.allow=never'].flatMap(
    (setting) => ['-c', setting],
  ),
];

class Git {
  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  /**
   * Runs git without a shell.
   * @param {string[]} args
   * @returns {{ ok: boolean, bytes: Buffer, errors: string }}
   */
  run(args) {
    const { error, status, stdout, stderr } = spawnSync('git', ['-C', this.folder, ...HARDENING, ...args], {
      maxBuffer: 512 * 1024 ** 2,
      timeout: 120_000,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (error !== undefined) throw gitFailure(error);
    return { ok: status === 0, bytes: stdout, errors: decode(stderr).trim() };
  }

  /**
   * The one line that a command prints; undefined when it fails.
   * @param {string[]} args
   */
  line(args) {
    const { ok, bytes } = this.run(args);
    return ok ? decode(bytes).trim() : undefined;
  }

  requireRepository() {
    const { ok, errors } = this.run(['rev-parse', '--git-dir']);
    if (ok) return;
    throw new Failure(
      'NOT_A_REPOSITORY',
      `${this.folder} is in no git repository that can be read: ${shown(errors.replace(/^fatal: /u, ''))}`,
      'Go into the repository, or name it with --repo.',
    );
  }

  /**
   * The commit that a name stands for. A name that begins with a hyphen would be an option for git; none exists.
   * @param {string} ref
   * @param {string} option
   */
  commit(ref, option) {
    if (ref === '' || ref.startsWith('-') || /[\p{Cc} ~^:?*[\\]|\.\./u.test(ref.replace(/[~^]\d*$/u, ''))) {
      throw usage(`${option} takes the name of a tag, branch or commit, got “${shown(ref)}”.`);
    }
    const sha = this.line(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
    if (sha !== undefined && /^[0-9a-f]{40,64}$/u.test(sha)) return sha;
    if (ref === 'HEAD')
      throw new Failure('NO_COMMITS', 'The repository has no commits yet.', 'Commit something first.');
    throw new Failure(
      'NO_SUCH_REF',
      `There is no tag, branch or commit “${shown(ref)}” here.`,
      this.shallow
        ? 'The clone is shallow: run “git fetch --unshallow --tags”.'
        : 'See “git tag” and “git branch -a”; perhaps “git fetch --tags” is needed.',
    );
  }

  get shallow() {
    return this.line(['rev-parse', '--is-shallow-repository']) === 'true';
  }

  /**
   * The tags on a commit, newest version first.
   * @param {string} sha
   */
  tagsAt(sha) {
    return (this.line(['tag', '--points-at', sha, '--sort=-version:refname']) ?? '')
      .split('\n')
      .filter((tag) => tag !== '');
  }

  /**
   * The newest tag in the history before a commit.
   * @param {string} sha
   * @param {{ pattern: string | undefined, skipPrereleases: boolean }} options
   */
  tagBefore(sha, { pattern, skipPrereleases }) {
    const args = ['describe', '--tags', '--abbrev=0'];
    if (pattern !== undefined) args.push(`--match=${pattern}`);
    if (skipPrereleases) args.push('--exclude=*[0-9]-*');
    const tag = this.line([...args, sha]);
    const here =
      tag === undefined || this.line(['rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`]) === sha;
    const found = here ? this.line([...args, `${sha}^`]) : tag;
    return found === undefined || found === '' ? undefined : found;
  }

  /**
   * @param {{ from: string | undefined, to: string, since: string | undefined, paths: string[], firstParent: boolean, limit: number }} range
   * @returns {Commit[]} newest first
   */
  log({ from, to, since, paths, firstParent, limit }) {
    const fields = ['%H', '%P', '%aN', '%aE', '%cI', '%B'];
    const { ok, bytes, errors } = this.run([
      'log',
      '-z',
      '--encoding=UTF-8',
      '--no-color',
      '--no-show-signature',
      '--topo-order',
      `--max-count=${limit + 1}`,
      `--format=tformat:${fields.join('%x00')}`,
      ...(firstParent ? ['--first-parent'] : []),
      ...(since === undefined ? [] : [`--since=${since}`]),
      to,
      ...(from === undefined ? [] : [`^${from}`]),
      '--',
      ...paths,
    ]);
    if (!ok) throw new Failure('GIT_FAILED', `git log failed: ${shown(errors)}`, 'Try the same range with “git log”.');
    const parts = splitAtZeros(bytes);
    const commits = [];
    for (let at = 0; at + fields.length <= parts.length; at += fields.length) {
      const [sha, parents, name, email, date, message] = parts.slice(at, at + fields.length).map(decode);
      commits.push({ sha, parents: parents.split(' ').filter((parent) => parent !== ''), name, email, date, message });
    }
    if (commits.length > limit) {
      throw new Failure(
        'TOO_MANY_COMMITS',
        `The range has more than ${limit} commits.`,
        'Name a nearer --from, or raise --limit.',
      );
    }
    return commits;
  }

  /**
   * The names of everybody who wrote a commit up to here.
   * @param {string} sha
   */
  authorsUpTo(sha) {
    const { bytes } = this.run([
      'log',
      '-z',
      '--no-show-signature',
      '--encoding=UTF-8',
      '--format=tformat:%aN',
      sha,
      '--',
    ]);
    return new Set(splitAtZeros(bytes).map((name) => decode(name)));
  }
}

/** @param {Error & { code?: string }} error */
function gitFailure(error) {
  if (error.code === 'ENOENT')
    return new Failure('GIT_MISSING', 'The program git was not found.', 'Install git, or put it on the PATH.');
  if (error.code === 'ETIMEDOUT')
    return new Failure('TIMEOUT', 'git did not answer within two minutes.', 'Take a smaller range.');
  return new Failure('GIT_FAILED', `git could not be run: ${error.message}`, 'Check that “git log” works here.');
}

/**
 * @param {Buffer} bytes
 * @returns {Buffer[]}
 */
function splitAtZeros(bytes) {
  const parts = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

/**
 * Text that git stored without saying how it is encoded: UTF-8 if it can be, else Latin-1.
 * @param {Buffer} bytes
 */
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/**
 * Text on one line without what could steer a terminal or hide.
 * @param {string} text
 */
function shown(text) {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\u202A-\u202E\u2060-\u2069\u200B\uFEFF\p{Cs}\u{E0000}-\u{E007F}]/gu, '')
    .trim();
}

// ---------------------------------------------------------------------------------------------------------------------
// Where links lead
// ---------------------------------------------------------------------------------------------------------------------

/** The web pages of a repository. Without a base there are none. */
class Host {
  /** @param {string | undefined} base */
  constructor(base) {
    this.base = base;
    const name = base === undefined ? '' : new URL(base).hostname;
    /** @type {'github' | 'gitlab' | 'bitbucket'} */
    this.kind = /(^|\.)gitlab\./u.test(name) ? 'gitlab' : /(^|\.)bitbucket\./u.test(name) ? 'bitbucket' : 'github';
  }

  /** @param {string} sha */
  commit(sha) {
    return this.#page({ github: `commit/${sha}`, gitlab: `-/commit/${sha}`, bitbucket: `commits/${sha}` });
  }

  /** @param {string} number */
  issue(number) {
    return this.#page({ github: `issues/${number}`, gitlab: `-/issues/${number}`, bitbucket: `issues/${number}` });
  }

  /** @param {string} number */
  pullRequest(number) {
    return this.#page({
      github: `pull/${number}`,
      gitlab: `-/merge_requests/${number}`,
      bitbucket: `pull-requests/${number}`,
    });
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  compare(from, to) {
    const [a, b] = [from, to].map((ref) => encodeURIComponent(ref).replace(/%2F/gu, '/'));
    return this.#page({
      github: `compare/${a}...${b}`,
      gitlab: `-/compare/${a}...${b}`,
      bitbucket: `branches/compare/${b}..${a}`,
    });
  }

  /** @param {string} repository `owner/name` on the same host */
  sibling(repository) {
    return new Host(this.base === undefined ? undefined : new URL(`/${repository}`, this.base).href);
  }

  /** @param {string} handle */
  profile(handle) {
    return this.base === undefined ? null : new URL(`/${handle}`, this.base).href;
  }

  /** @param {{ github: string, gitlab: string, bitbucket: string }} paths */
  #page(paths) {
    return this.base === undefined ? null : `${this.base}/${paths[this.kind]}`;
  }
}

/**
 * The web address of a remote, without its credentials; undefined for a folder or anything unclear.
 * @param {string} remote
 * @returns {string | undefined}
 */
function webAddress(remote) {
  const scp = /^(?:[\w.-]+@)?([\w.-]+\.[\w-]+):(?!\/\/)\/?([\w./~-]+)$/u.exec(remote);
  const text = scp === null ? remote : `ssh://${scp[1]}/${scp[2]}`;
  /** @type {URL} */
  let url;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  if (!['http:', 'https:', 'ssh:', 'git:', 'git+ssh:'].includes(url.protocol)) return undefined;
  const path = url.pathname.replace(/\/+$/u, '').replace(/\.git$/u, '');
  if (!/^[\w.-]+$/u.test(url.hostname) || !/^(?:\/[\w.~-]+)+$/u.test(path)) return undefined;
  const port = url.protocol.startsWith('http') && url.port !== '' ? `:${url.port}` : '';
  return `${url.protocol === 'http:' ? 'http' : 'https'}://${url.hostname}${port}${path}`;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a commit says
// ---------------------------------------------------------------------------------------------------------------------

/** @type {Record<string, GroupId>} */
const TYPES = {
  feat: 'features',
  feature: 'features',
  fix: 'fixes',
  bugfix: 'fixes',
  hotfix: 'fixes',
  security: 'fixes',
  perf: 'performance',
  revert: 'reverts',
  docs: 'documentation',
  doc: 'documentation',
  build: 'maintenance',
  ci: 'maintenance',
  chore: 'maintenance',
  style: 'maintenance',
  test: 'maintenance',
  tests: 'maintenance',
  refactor: 'maintenance',
  deps: 'maintenance',
};

/** For messages in plain words: what the first word says. @type {[RegExp, GroupId][]} */
const WORDS = [
  [
    /^(?:add(?:s|ed|ing)?|implement(?:s|ed)?|introduc(?:e|es|ed)|support(?:s|ed)?|allow(?:s|ed)?|creat(?:e|es|ed)|new)\b/iu,
    'features',
  ],
  [
    /^(?:fix(?:es|ed|ing)?|bug\s?fix(?:es)?|correct(?:s|ed)?|repair(?:s|ed)?|resolv(?:e|es|ed)|prevent(?:s|ed)?|hot\s?fix)\b/iu,
    'fixes',
  ],
  [/^(?:speed(?:s)? up|optimi[sz](?:e|es|ed))\b/iu, 'performance'],
  [/^(?:remov(?:e|es|ed)|delet(?:e|es|ed)|drop(?:s|ped)?|deprecat(?:e|es|ed))\b/iu, 'removed'],
  [/^revert(?:s|ed)?\b/iu, 'reverts'],
  [/^(?:bump(?:s|ed)?|upgrad(?:e|es|ed)|merge|release|prepare release|typo|lint|format)\b/iu, 'maintenance'],
  [/^(?:docs?|document(?:s|ed)?|readme|changelog)\b/iu, 'documentation'],
  [
    /^(?:chang(?:e|es|ed)|improv(?:e|es|ed)|updat(?:e|es|ed)|mov(?:e|es|ed)|renam(?:e|es|ed)|us(?:e|es|ed)|mak(?:e|es)|replac(?:e|es|ed)|rework(?:s|ed)?|simplif(?:y|ies|ied)|refactor(?:s|ed)?)\b/iu,
    'changes',
  ],
];

/** @type {[GroupId, string][]} */
const GROUPS = [
  ['features', 'Features'],
  ['fixes', 'Fixes'],
  ['performance', 'Performance'],
  ['changes', 'Changes'],
  ['removed', 'Removed'],
  ['reverts', 'Reverts'],
  ['documentation', 'Documentation'],
  ['other', 'Other changes'],
  ['maintenance', 'Maintenance'],
];

const CONVENTIONAL = /^(?<type>[A-Za-z]{2,20})(?:\((?<scope>[^()\n]{1,60})\))?(?<bang>!)?:\s+(?<text>\S.*)$/u;
const PULL_REQUEST = /^Merge pull request #(?<number>\d{1,9}) from \S+$/u;
const MERGE_REQUEST = /^See merge request (?:\S+)?!(?<number>\d{1,9})$/mu;

/**
 * @param {Commit} commit
 * @param {Host} host
 * @param {Reference[]} inherited what the merge that brought the commit says
 * @returns {Change}
 */
function understand(commit, host, inherited) {
  const { subject, body, references } = headline(commit, host);
  const { type, scope, bang, text } = CONVENTIONAL.exec(subject)?.groups ?? {};
  const known = type === undefined ? undefined : TYPES[type.toLowerCase()];
  const words = known === undefined ? subject : text;
  const footer = /^BREAKING[ -]CHANGE:\s+(?<what>[^\n]+(?:\n(?![\w-]+(?:: | #)|\s*\n)[^\n]+)*)/mu.exec(body)?.groups
    ?.what;
  const breaks = footer !== undefined || (known !== undefined && bang !== undefined);
  const clean = shown(words).replace(/\s*\((?:#|!|GH-)\d+\)$/u, '');
  return {
    sha: commit.sha,
    subject: clean.slice(0, 500) || '(no message)',
    type: known === undefined ? null : (type ?? '').toLowerCase(),
    scope: known === undefined || scope === undefined ? null : shown(scope),
    breaking: breaks ? shown(footer ?? words).slice(0, 2000) : null,
    group: known ?? WORDS.find(([pattern]) => pattern.test(subject))?.[1] ?? 'other',
    authors: authorsOf(commit),
    references: unique([...references, ...referencesIn(`${subject}\n${body}`, host), ...inherited]),
  };
}

/**
 * The line that says what a commit does: of a merge, the title of what was merged.
 * @param {Commit} commit
 * @param {Host} host
 * @returns {{ subject: string, body: string, references: Reference[] }}
 */
function headline({ message, parents }, host) {
  const [first = '', ...rest] = message.split('\n');
  const body = rest.join('\n').trim();
  const references = parents.length > 1 ? mergedBy(message, host) : [];
  if (parents.length > 1 && body !== '' && /^Merge (?:pull request|branch|remote-tracking branch)/u.test(first)) {
    const [title = '', ...more] = body.split('\n');
    return { subject: title, body: more.join('\n'), references };
  }
  return { subject: first, body, references };
}

/**
 * The pull or merge request that a merge commit names.
 * @param {string} message
 * @param {Host} host
 * @returns {Reference[]}
 */
function mergedBy(message, host) {
  const [first = ''] = message.split('\n');
  const pull = PULL_REQUEST.exec(first)?.groups?.number;
  if (pull !== undefined) return [{ text: `#${pull}`, url: host.pullRequest(pull) }];
  const merge = MERGE_REQUEST.exec(message)?.groups?.number;
  return merge === undefined ? [] : [{ text: `!${merge}`, url: host.pullRequest(merge) }];
}

/**
 * @param {string} text
 * @param {Host} host
 * @returns {Reference[]}
 */
function referencesIn(text, host) {
  const pattern =
    /(?<![\w/&.-])(?:(?<repository>[\w.-]{1,100}\/[\w.-]{1,100}))?(?<mark>#|GH-|!)(?<number>\d{1,9})(?![\w-])/gu;
  return [...text.matchAll(pattern)].flatMap(({ groups = {} }) => {
    const { repository, mark, number } = groups;
    // An exclamation mark is a merge request on GitLab only.
    if (mark === '!' && host.kind !== 'gitlab') return [];
    const place = repository === undefined ? host : host.sibling(repository);
    const sign = mark === 'GH-' ? '#' : mark;
    return [
      {
        text: `${repository ?? ''}${sign}${number}`,
        url: sign === '!' ? place.pullRequest(number) : place.issue(number),
      },
    ];
  });
}

/**
 * @param {Reference[]} references
 * @returns {Reference[]}
 */
function unique(references) {
  return [...new Map(references.map((reference) => [reference.text, reference])).values()];
}

/**
 * @param {Commit} commit
 * @returns {Author[]}
 */
function authorsOf({ name, email, message }) {
  const others = [...message.matchAll(/^Co-authored-by:\s*([^<\n]{1,200}?)\s*<([^>\n]{1,200})>\s*$/gimu)].map(
    ([, other, address]) => authorOf(other, address),
  );
  return [...new Map([authorOf(name, email), ...others].map((author) => [author.name, author])).values()];
}

/**
 * @param {string} name
 * @param {string} email
 * @returns {Author}
 */
function authorOf(name, email) {
  const handle = /^(?:\d+\+)?([\w-]{1,39}(?:\[bot\])?)@users\.noreply\.github\.com$/iu.exec(email)?.[1] ?? null;
  return { name: shown(name) || 'unknown', handle };
}

/**
 * Which commits came by which merge: everything that a merge reaches through its second parent but not its first.
 * @param {Commit[]} commits
 * @param {Host} host
 * @returns {Map<string, Reference[]>}
 */
function broughtBy(commits, host) {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  /** @type {Map<string, Reference[]>} */
  const brought = new Map();
  // Newest first: of nested merges the outer one names the request that people know; the inner one adds its own.
  for (const merge of commits) {
    const references = merge.parents.length > 1 ? mergedBy(merge.message, host) : [];
    if (references.length === 0) continue;
    const mainline = reach(bySha, merge.parents.slice(0, 1), new Set());
    for (const sha of reach(bySha, merge.parents.slice(1), mainline))
      brought.set(sha, [...(brought.get(sha) ?? []), ...references]);
  }
  return brought;
}

/**
 * @param {Map<string, Commit>} commits
 * @param {string[]} starts
 * @param {Set<string>} without
 */
function reach(commits, starts, without) {
  const seen = new Set();
  const waiting = [...starts];
  for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
    const commit = commits.get(sha);
    if (commit === undefined || seen.has(sha) || without.has(sha)) continue;
    seen.add(sha);
    waiting.push(...commit.parents);
  }
  return seen;
}

/**
 * Pairs of a commit and its revert within the range: neither is a change between the two versions. A revert that is
 * itself reverted does not count.
 * @param {Commit[]} commits newest first
 */
function cancelledOut(commits) {
  const shas = commits.map(({ sha }) => sha);
  /** @type {Set<string>} */
  const cancelled = new Set();
  for (const { sha, message } of commits) {
    const abbreviated = /This reverts commit ([0-9a-f]{7,64})/u.exec(message)?.[1];
    const target =
      abbreviated === undefined || cancelled.has(sha)
        ? undefined
        : shas.find((candidate) => candidate.startsWith(abbreviated));
    if (target === undefined) continue;
    cancelled.add(sha);
    cancelled.add(target);
  }
  return cancelled;
}

// ---------------------------------------------------------------------------------------------------------------------
// Putting it together
// ---------------------------------------------------------------------------------------------------------------------

/**
 * @param {Git} git
 * @param {ReturnType<typeof readArguments>} options
 */
function collect(git, options) {
  git.requireRepository();
  const to = options.to ?? 'HEAD';
  const toSha = git.commit(to, '--to');
  const [tag] = git
    .tagsAt(toSha)
    .filter((name) => options.to === undefined || name === options.to || !isTag(git, options.to));
  const wanted = { pattern: options.tags, skipPrereleases: options['skip-prereleases'] };
  const tagged = options.from === undefined && options.since === undefined ? git.tagBefore(toSha, wanted) : undefined;
  const from = options.from ?? tagged;
  const fromSha =
    from === undefined ? undefined : git.commit(tagged === undefined ? from : `refs/tags/${tagged}`, '--from');
  const host = new Host(options.url ?? webAddress(git.line(['remote', 'get-url', options.remote]) ?? ''));
  const commits = git.log({
    from: fromSha,
    to: toSha,
    since: options.since,
    paths: options.path,
    firstParent: options['first-parent'],
    limit: options.limit,
  });
  const notes = [];
  if (from === undefined && options.since === undefined)
    notes.push('no earlier tag was found: the notes cover the whole history');
  if (git.shallow)
    notes.push('the clone is shallow: older commits and tags may be missing (git fetch --unshallow --tags)');
  if (commits.length === 0)
    notes.push(
      `there are no commits ${from === undefined ? 'in this range' : `between ${shown(from)} and ${shown(to)}`}`,
    );
  const changes = changesOf(commits, host, options);
  const authors = countAuthors(changes.flatMap(({ authors: found }) => found));
  const earlier =
    fromSha === undefined || notes.some((note) => note.includes('shallow')) ? undefined : git.authorsUpTo(fromSha);
  return {
    title: options.title ?? tag ?? 'Unreleased',
    date: git.line(['log', '-1', '--no-show-signature', '--format=%cs', toSha, '--']) ?? null,
    from: from ?? null,
    fromSha: fromSha ?? null,
    to: tag ?? to,
    toSha,
    commits: commits.length,
    compareUrl: from === undefined ? null : host.compare(from, tag ?? (to === 'HEAD' ? toSha : to)),
    breaking: changes.filter(({ breaking }) => breaking !== null),
    groups: GROUPS.map(([id, title]) => ({ id, title, changes: changes.filter(({ group }) => group === id) })).filter(
      ({ changes: found }) => found.length > 0,
    ),
    authors: authors.map((author) => ({ ...author, first: earlier === undefined ? null : !earlier.has(author.name) })),
    notes,
    host,
  };
}

/**
 * @param {Git} git
 * @param {string} name
 */
function isTag(git, name) {
  return git.line(['rev-parse', '--verify', '--quiet', `refs/tags/${name}^{commit}`]) !== undefined;
}

/**
 * @param {Commit[]} commits
 * @param {Host} host
 * @param {{ 'first-parent': boolean }} options
 */
function changesOf(commits, host, options) {
  const cancelled = cancelledOut(commits);
  const brought = options['first-parent'] ? new Map() : broughtBy(commits, host);
  return commits
    .filter(({ sha, parents }) => !cancelled.has(sha) && (options['first-parent'] || parents.length < 2))
    .map((commit) => understand(commit, host, brought.get(commit.sha) ?? []));
}

/** @param {Author[]} authors */
function countAuthors(authors) {
  /** @type {Map<string, Author & { commits: number }>} */
  const counted = new Map();
  for (const author of authors) {
    const found = counted.get(author.name);
    if (found === undefined) counted.set(author.name, { ...author, commits: 1 });
    else counted.set(author.name, { ...found, handle: found.handle ?? author.handle, commits: found.commits + 1 });
  }
  return [...counted.values()].sort((a, b) => b.commits - a.commits || (a.name < b.name ? -1 : 1));
}

/**
 * Text of a commit as Markdown that shows it and does nothing else; `code` stays code.
 * @param {string} text
 */
function markdown(text) {
  return text
    .split(/(`[^`]+`)/u)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/[\\*[\]<>~|`]|(?<!\w)_|_(?!\w)/gu, '\\$&')
            .replace(/\\</gu, '&lt;')
            .replace(/\\>/gu, '&gt;'),
    )
    .join('');
}

/** @param {Reference} reference */
function link({ text, url }) {
  return url === null ? text : `[${text}](${url})`;
}

/**
 * @param {ReturnType<typeof collect>} notes
 * @param {{ all: boolean, 'no-authors': boolean }} options
 */
function renderMarkdown(notes, options) {
  const { host } = notes;
  const entry = (/** @type {Change} */ change, /** @type {string} */ text) => {
    const scope = change.scope === null ? '' : `**${markdown(change.scope)}:** `;
    const commit = link({ text: change.sha.slice(0, 7), url: host.commit(change.sha) });
    return `- ${scope}${markdown(text)} (${[...change.references.map(link), commit].join(', ')})`;
  };
  const lines = [`## ${markdown(shown(notes.title))}${notes.date === null ? '' : ` (${notes.date})`}`];
  const section = (/** @type {string} */ title, /** @type {string[]} */ items) =>
    items.length > 0 && lines.push('', `### ${title}`, '', ...items);
  section(
    'Breaking changes',
    notes.breaking.map((change) => entry(change, change.breaking ?? '')),
  );
  for (const { id, title, changes } of notes.groups) {
    if (id === 'maintenance' && !options.all) continue;
    section(
      title,
      changes.map((change) => entry(change, change.subject)),
    );
  }
  const hidden = options.all ? 0 : (notes.groups.find(({ id }) => id === 'maintenance')?.changes.length ?? 0);
  if (notes.groups.length === 0) lines.push('', 'No changes.');
  if (hidden > 0) lines.push('', `${hidden} maintenance ${hidden === 1 ? 'commit is' : 'commits are'} not listed.`);
  if (!options['no-authors']) {
    section(
      'Contributors',
      notes.authors.map(({ name, handle, commits, first }) => {
        const who =
          handle === null || host.kind !== 'github'
            ? ''
            : ` (${link({ text: `@${handle.replace(/[[\]]/gu, '\\$&')}`, url: host.profile(handle.replace(/\[bot\]$/u, '')) })})`;
        return `- ${markdown(name)}${who}: ${commits} ${commits === 1 ? 'commit' : 'commits'}${first === true ? ', for the first time' : ''}`;
      }),
    );
  }
  if (notes.compareUrl !== null)
    lines.push('', `[All changes since ${markdown(shown(notes.from ?? ''))}](${notes.compareUrl})`);
  return `${lines.join('\n')}\n`;
}

/** @param {ReturnType<typeof collect>} notes */
function renderJson({ host, ...notes }) {
  const change = (/** @type {Change} */ found) => ({ ...found, url: host.commit(found.sha) });
  const plain = {
    ...notes,
    url: host.base ?? null,
    breaking: notes.breaking.map(change),
    groups: notes.groups.map((group) => ({ ...group, changes: group.changes.map(change) })),
  };
  return `${JSON.stringify(plain, undefined, 2)}\n`;
}

/** @param {string[]} args */
function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        all: { type: 'boolean', default: false },
        'first-parent': { type: 'boolean', default: false },
        format: { type: 'string', default: 'markdown' },
        from: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
        limit: { type: 'string', default: '5000' },
        'no-authors': { type: 'boolean', default: false },
        path: { type: 'string', multiple: true, default: [] },
        remote: { type: 'string', default: 'origin' },
        repo: { type: 'string', default: '.' },
        since: { type: 'string' },
        'skip-prereleases': { type: 'boolean', default: false },
        tags: { type: 'string' },
        title: { type: 'string' },
        to: { type: 'string' },
        url: { type: 'string' },
        version: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
  const { format, limit, remote, url, from, since } = values;
  if (format !== 'markdown' && format !== 'json') throw usage(`--format takes markdown or json, got “${format}”.`);
  if (!/^[1-9]\d{0,6}$/u.test(limit)) throw usage(`--limit takes a whole number from 1, got “${limit}”.`);
  if (!/^[\w][\w./-]*$/u.test(remote)) throw usage(`--remote takes the name of a remote, got “${shown(remote)}”.`);
  if (from !== undefined && since !== undefined) throw usage('Give --from or --since, not both.');
  const base = url === undefined ? undefined : webAddress(url);
  if (url !== undefined && base === undefined)
    throw usage(`--url takes a web address such as https://github.com/org/repo, got “${shown(url)}”.`);
  return { ...values, format, limit: Number(limit), url: base };
}

/** @param {string[]} args */
function main(args) {
  const options = readArguments(args);
  if (options.help) return HELP;
  if (options.version) return `${VERSION}\n`;
  const notes = collect(new Git(options.repo), options);
  for (const note of notes.notes) process.stderr.write(`note: ${note}\n`);
  return options.format === 'json' ? renderJson(notes) : renderMarkdown(notes, options);
}

process.stdout.on('error', (error) => {
  // A reader that closes the pipe, as head does, has had enough.
  if (!('code' in error && error.code === 'EPIPE')) throw error;
});

try {
  process.stdout.write(main(process.argv.slice(2)));
} catch (error) {
  const known = error instanceof Failure;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    known
      ? `error ${error.code}: ${text}\nhint: ${error.hint}\n`
      : `error DEFECT of this script: ${error instanceof Error ? error.stack : text}\n`,
  );
  process.exitCode = known && error.code === 'USAGE' ? 2 : 1;
}
