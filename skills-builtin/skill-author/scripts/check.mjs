#!/usr/bin/env node
// check.mjs: checks skill folders. Calls `skills lint` where it is installed, and looks at the files itself.
// Needs only Node 18.3 or newer. Copyright the skillpack authors, Apache-2.0. Run it with --help.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const VERSION = '1.0.0';

const HELP = `Usage: node check.mjs [options] SKILL_FOLDER …

Options
      --strict     hold it to the letter of the specification (agentskills.io); warnings count as errors
      --offline    do not call the skills command, even if it is installed
      --json       one JSON document on stdout
  -h, --help, --version

The skills command is found by the environment variable SKILLS_CLI (a path), in node_modules/skillpack of a folder
above, or on the PATH. It is never downloaded. Nothing in the skill is executed, nothing is written.

Exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 wrong usage
`;

/**
 * @typedef {'error' | 'warning' | 'info'} Severity
 * @typedef {{ severity: Severity, code: string, file: string, line: number | null, message: string, fix: string }} Finding
 * @typedef {{ path: string, file: string, size: number, kind: 'file' | 'link' | 'other' }} SkillFile  `path` with slashes
 */

/** What the skills command judges too, and better. */
const JUDGED_BY_LINT = new Set(['link-missing', 'body-empty', 'body-long', 'script-no-shebang']);

const LIMITS = {
  files: 5000,
  depth: 32,
  textBytes: 1_048_576,
  bodyLines: 500,
  bodyTokens: 5000,
  largeBytes: 5 * 1_048_576,
};

class UsageError extends Error {}

/**
 * Text on one line without what could steer a terminal or hide.
 * @param {string} text
 * @param {number} [limit]
 */
function shown(text, limit = 300) {
  const plain = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\u202A-\u202E\u2060-\u2069\u200B\uFEFF\p{Cs}\u{E0000}-\u{E007F}]/gu, '')
    .trim();
  return plain.length > limit ? `${plain.slice(0, limit - 1)}…` : plain;
}

/**
 * What stands at a path, without following links.
 * @param {string} path
 */
function entryAt(path) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The skills command
// ---------------------------------------------------------------------------------------------------------------------

/**
 * How to start the skills command: the program and the arguments before its own.
 * @returns {string[] | undefined}
 */
function findCommand() {
  const named = process.env.SKILLS_CLI;
  if (named !== undefined && named !== '') return /\.[cm]?js$/u.test(named) ? [process.execPath, named] : [named];
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const local = join(folder, 'node_modules', 'skillpack', 'dist', 'skills.js');
    if (existsSync(local)) return [process.execPath, local];
    if (folder === dirname(folder)) break;
  }
  for (const folder of (process.env.PATH ?? process.env.Path ?? '').split(delimiter).filter((part) => part !== '')) {
    // On Windows npm leaves a script for the shell, and the program in node_modules beside it.
    const beside = join(folder, 'node_modules', 'skillpack', 'dist', 'skills.js');
    if (process.platform === 'win32' && existsSync(join(folder, 'skills.cmd')) && existsSync(beside))
      return [process.execPath, beside];
    const program = join(folder, process.platform === 'win32' ? 'skills.exe' : 'skills');
    if (existsSync(program)) return [program];
  }
  return undefined;
}

/**
 * What `skills lint` finds; a note in its place when there is no such command or it is another program of that name.
 * @param {string} folder
 * @param {boolean} strict
 * @returns {{ findings: Finding[] } | { note: string }}
 */
function lint(folder, strict) {
  const command = findCommand();
  if (command === undefined)
    return { note: 'the skills command was not found: the front matter was checked by this script alone' };
  const [program = '', ...before] = command;
  const run = spawnSync(program, [...before, 'lint', '--json', ...(strict ? ['--strict'] : []), folder], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1_048_576,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const skills = lintedSkills(run.stdout ?? '');
  if (skills === undefined)
    return {
      note: `${shown(command.join(' '))} did not answer as “skills lint --json” does: the front matter was checked by this script alone`,
    };
  const file = 'SKILL.md';
  return {
    findings: skills.flatMap(({ diagnostics }) =>
      diagnostics.map(({ code, severity, message, line, fix }) => ({
        severity,
        code,
        file,
        line: line ?? null,
        message,
        fix,
      })),
    ),
  };
}

/**
 * @param {string} json
 * @returns {{ diagnostics: { code: string, severity: Severity, message: string, line?: number, fix: string }[] }[] | undefined}
 */
function lintedSkills(json) {
  try {
    const skills = JSON.parse(json)?.data?.skills;
    const understood =
      Array.isArray(skills) &&
      skills.length > 0 &&
      skills.every(
        ({ diagnostics }) =>
          Array.isArray(diagnostics) &&
          diagnostics.every(({ code, severity, message }) =>
            [code, severity, message].every((field) => typeof field === 'string'),
          ),
      );
    return understood ? skills : undefined;
  } catch {
    return undefined;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The front matter, without a YAML library
// ---------------------------------------------------------------------------------------------------------------------

const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/**
 * The top-level fields of front matter as far as this script understands them: plain and quoted values, block scalars,
 * and for maps and lists the lines they consist of.
 * @param {string[]} lines
 * @returns {{ fields: Map<string, { value: string, line: number, plain: boolean }>, odd: number[] }}
 */
function readFields(lines) {
  /** @type {Map<string, { value: string, line: number, plain: boolean }>} */
  const fields = new Map();
  const odd = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\s*(?:#|$)/u.test(line)) continue;
    const { key, rest } = /^(?<key>[A-Za-z_][\w-]*):(?:\s+(?<rest>.*))?$/u.exec(line)?.groups ?? {};
    if (key === undefined) {
      odd.push(at + 2);
      continue;
    }
    const first = at;
    const inner = [];
    while (at + 1 < lines.length && /^(?:\s+\S|\s*$|- )/u.test(lines[at + 1] ?? '')) inner.push(lines[(at += 1)] ?? '');
    const start = (rest ?? '').trim();
    const folded = inner
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .join(' ');
    const value = /^[>|][-+\d]*$/u.test(start)
      ? folded
      : unquote([start, folded].filter((text) => text !== '').join(' '));
    fields.set(key, { value, line: first + 2, plain: !/^["'>|[{]/u.test(start) });
  }
  return { fields, odd };
}

/** @param {string} text */
function unquote(text) {
  if (/^".*"$/u.test(text)) return text.slice(1, -1).replace(/\\(["\\])/gu, '$1');
  if (/^'.*'$/u.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  return text.replace(/\s+#.*$/u, '');
}

/**
 * @param {string} text of SKILL.md
 * @param {string} folderName
 * @param {boolean} strict
 * @returns {Finding[]}
 */
function checkFrontMatter(text, folderName, strict) {
  /** @type {Finding[]} */
  const findings = [];
  const add = (
    /** @type {Severity} */ severity,
    /** @type {string} */ code,
    /** @type {number} */ line,
    /** @type {string} */ message,
    /** @type {string} */ fix,
  ) => findings.push({ severity, code, file: 'SKILL.md', line, message, fix });
  const head = frontMatterOf(text);
  if (head === undefined) {
    add(
      'error',
      'front-matter-missing',
      1,
      'The file does not begin with front matter between two lines “---”.',
      'Begin it with ---, name, description, ---.',
    );
    return findings;
  }
  const { fields, odd } = readFields(head.lines);
  for (const line of odd)
    add(
      'warning',
      'line-not-understood',
      line,
      'This line of the front matter is not understood.',
      'Write “key: value”. The skills command reads all of YAML.',
    );
  const name = fields.get('name');
  const description = fields.get('description');
  if (name === undefined || name.value === '')
    add('error', 'name-missing', 1, 'There is no name.', `Write name: ${shown(folderName)}`);
  else {
    if (!/^[\p{Ll}\p{Lo}\d]+(?:-[\p{Ll}\p{Lo}\d]+)*$/u.test(name.value) || [...name.value].length > 64) {
      add(
        'error',
        'name-invalid',
        name.line,
        `The name “${shown(name.value)}” is not of the form a-b-1, up to 64 characters.`,
        'Use lower-case letters, digits and single hyphens.',
      );
    }
    if (name.value.normalize('NFKC') !== folderName.normalize('NFKC')) {
      add(
        strict ? 'error' : 'warning',
        'name-not-folder',
        name.line,
        `The name is “${shown(name.value)}”, but the folder is “${shown(folderName)}”.`,
        'Give both the same name.',
      );
    }
  }
  if (description === undefined || description.value === '') {
    add('error', 'description-missing', 1, 'There is no description.', 'Say what the skill does and when to use it.');
  } else findings.push(...checkDescription(description, strict));
  const compatibility = fields.get('compatibility');
  if (compatibility !== undefined && [...compatibility.value].length > 500) {
    add(
      'error',
      'compatibility-too-long',
      compatibility.line,
      'The compatibility has more than 500 characters.',
      'Shorten it.',
    );
  }
  for (const [key, { line }] of fields) {
    if (!FIELDS.includes(key))
      add(
        strict ? 'error' : 'info',
        'unknown-field',
        line,
        `The field “${key}” is not in the specification.`,
        'Put it under metadata.',
      );
  }
  return findings;
}

/**
 * @param {{ value: string, line: number, plain: boolean }} description
 * @param {boolean} strict
 * @returns {Finding[]}
 */
function checkDescription({ value, line, plain }, strict) {
  const length = [...value].length;
  const place = { file: 'SKILL.md', line };
  /** @type {(Finding | false)[]} */
  const findings = [
    length > 1024 && {
      ...place,
      severity: 'error',
      code: 'description-too-long',
      message: `The description has ${length} characters; 1024 are allowed.`,
      fix: 'Shorten it; details belong into the body.',
    },
    length < 40 && {
      ...place,
      severity: 'warning',
      code: 'description-short',
      message: `The description has only ${length} characters.`,
      fix: 'Say what the skill does, when to use it, and with which words people ask for it.',
    },
    /^[\p{Script=Latin}\P{L}]*$/u.test(value) &&
      !/\b(?:when|whenever|if|use (?:this|it|for|to)|used (?:for|to|by|in)|asks?|trigger)\b/iu.test(value) && {
        ...place,
        severity: 'warning',
        code: 'description-no-trigger',
        message: 'The description does not say when to use the skill.',
        fix: 'Add “Use when …” with the words people use.',
      },
    plain &&
      /: /u.test(value) && {
        ...place,
        severity: strict ? 'error' : 'warning',
        code: 'unquoted-colon',
        message: 'The description contains “: ” without quotes, which YAML refuses.',
        fix: 'Put it in double quotes.',
      },
    /[<>]/u.test(value) && {
      ...place,
      severity: 'info',
      code: 'angle-brackets',
      message: 'The description has angle brackets, which some clients refuse.',
      fix: 'Write it without < and >.',
    },
  ];
  return findings.filter((finding) => finding !== false);
}

/**
 * @param {string} text
 * @returns {{ lines: string[], body: string, bodyLine: number } | undefined}
 */
function frontMatterOf(text) {
  const lines = text.replace(/^\uFEFF/u, '').split(/\r\n|\n/u);
  const end = lines.indexOf('---', 1);
  if (lines[0]?.trimEnd() !== '---' || end === -1) return undefined;
  return { lines: lines.slice(1, end), body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

// ---------------------------------------------------------------------------------------------------------------------
// The folder
// ---------------------------------------------------------------------------------------------------------------------

/** Folders and files that no skill should carry. */
const PRIVATE = /^(?:\.env(?:\..+)?|\.npmrc|\.netrc|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|p12|pfx|keystore))$/u;
const RUBBISH =
  /^(?:\.git|\.hg|\.svn|node_modules|__pycache__|\.venv|venv|\.DS_Store|Thumbs\.db|desktop\.ini|\.idea|\.vscode|.+\.(?:pyc|swp|orig|tmp)|.+~)$/u;
/** Files that speak for themselves and need no mention. */
const KNOWN =
  /^(?:SKILL\.md|skillpack\.json|\.skillpackignore|LICEN[CS]E(?:\.\w+)?|NOTICE(?:\.\w+)?|README(?:\.\w+)?|CHANGELOG(?:\.\w+)?|package(?:-lock)?\.json|requirements\.txt|pyproject\.toml|.*THIRD[_-]?PARTY.*)$/iu;

/**
 * Every file below a folder, links not followed.
 * @param {string} root
 * @returns {{ files: SkillFile[], findings: Finding[] }}
 */
function listFiles(root) {
  /** @type {SkillFile[]} */
  const files = [];
  /** @type {Finding[]} */
  const findings = [];
  const visit = (/** @type {string} */ prefix, /** @type {number} */ depth) => {
    const folder = join(root, prefix);
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (files.length >= LIMITS.files) return;
      if (RUBBISH.test(entry.name) || PRIVATE.test(entry.name)) {
        const secret = PRIVATE.test(entry.name);
        findings.push({
          severity: secret ? 'error' : 'warning',
          code: secret ? 'private-file' : 'stray-file',
          file: path,
          line: null,
          message: secret ? 'A file of this name usually holds secrets.' : 'This does not belong into a skill.',
          fix: 'Remove it, or name it in .skillpackignore.',
        });
      } else if (entry.isDirectory()) {
        if (depth < LIMITS.depth) visit(path, depth + 1);
      } else {
        const file = join(root, path);
        const kind = entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other';
        files.push({ path, file, size: kind === 'file' ? statSync(file).size : 0, kind });
      }
    }
  };
  visit('', 0);
  if (files.length >= LIMITS.files)
    findings.push({
      severity: 'error',
      code: 'too-many-files',
      file: '.',
      line: null,
      message: `There are ${LIMITS.files} files or more.`,
      fix: 'Is this really one skill?',
    });
  return { files, findings };
}

/**
 * @param {SkillFile[]} files
 * @returns {Finding[]}
 */
function checkFiles(files) {
  /** @type {Finding[]} */
  const findings = [];
  const folded = new Map();
  for (const { path, size, kind } of files) {
    const at = { file: path, line: null };
    if (kind !== 'file')
      findings.push({
        ...at,
        severity: 'error',
        code: 'not-a-file',
        message:
          kind === 'link' ? 'This is a symbolic link, which no pack may hold.' : 'This is neither a file nor a folder.',
        fix: 'Put a regular file there.',
      });
    if (size > LIMITS.largeBytes)
      findings.push({
        ...at,
        severity: 'warning',
        code: 'large-file',
        message: `The file has ${Math.round(size / 1_048_576)} MiB.`,
        fix: 'Is it needed by every user?',
      });
    if (/[\\:*?"<>|\p{Cc}]|[. ](?:\/|$)/u.test(path))
      findings.push({
        ...at,
        severity: 'error',
        code: 'name-not-portable',
        message: 'The name cannot exist on every system.',
        fix: 'Use letters, digits, dots, hyphens and underscores.',
      });
    const key = path.normalize('NFC').toLowerCase();
    const other = folded.get(key);
    if (other !== undefined)
      findings.push({
        ...at,
        severity: 'error',
        code: 'names-collide',
        message: `On some systems this is the same file as ${shown(other)}.`,
        fix: 'Rename one of them.',
      });
    folded.set(key, path);
  }
  return findings;
}

/**
 * Paths that the body names: links, and code that looks like a path below the usual folders.
 * @param {string} body
 * @param {number} firstLine
 * @returns {{ path: string, line: number }[]}
 */
function namedPaths(body, firstLine) {
  const named = [];
  let fenced = false;
  for (const [index, line] of body.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/u.test(line)) {
      fenced = !fenced;
      continue;
    }
    const links = fenced
      ? []
      : [...line.matchAll(/\]\((?<target>[^()\s]+)\)/gu)].map(({ groups }) => groups?.target ?? '');
    const code = fenced
      ? []
      : [...line.matchAll(/`(?<target>(?:scripts|references|assets)\/[^`\s*{}<>$]+)`/gu)].map(
          ({ groups }) => groups?.target ?? '',
        );
    for (const target of [...links, ...code]) {
      const path = decodePath(target.replace(/[#?].*$/u, ''))
        .replace(/^\.\//u, '')
        .replace(/\/$/u, '');
      if (path !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/|~)/iu.test(path)) named.push({ path, line: firstLine + index });
    }
  }
  return named;
}

/** @param {string} text */
function decodePath(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {string} root
 * @param {SkillFile[]} files
 * @param {{ body: string, bodyLine: number }} text
 * @returns {Finding[]}
 */
function checkReferences(root, files, { body, bodyLine }) {
  /** @type {Finding[]} */
  const findings = [];
  for (const { path, line } of namedPaths(body, bodyLine)) {
    const at = { file: 'SKILL.md', line };
    if (path.split('/').includes('..'))
      findings.push({
        ...at,
        severity: 'warning',
        code: 'file-outside',
        message: `“${shown(path)}” leads out of the skill's folder.`,
        fix: 'Bring the file along, or describe where to find it.',
      });
    else if (entryAt(join(root, path)) === undefined)
      findings.push({
        ...at,
        severity: 'error',
        code: 'link-missing',
        message: `“${shown(path)}” is not in the skill's folder.`,
        fix: 'Correct the path, or add the file.',
      });
  }
  // A file counts as mentioned where its path, its name or its folder stands in the body or in another text of the skill.
  const texts = [
    body,
    ...files
      .filter(({ path, size }) => /\.(?:md|txt)$/iu.test(path) && path !== 'SKILL.md' && size < LIMITS.textBytes)
      .map(({ file }) => readFileSync(file, 'utf8')),
  ];
  for (const { path } of files) {
    // Cases are for whoever tests the skill, not for the agent that uses it.
    if (path.startsWith('evals/')) continue;
    if (KNOWN.test(basename(path)) || texts.some((text) => mentions(text, path))) continue;
    findings.push({
      severity: path.startsWith('scripts/') ? 'warning' : 'info',
      code: 'file-unmentioned',
      file: path,
      line: null,
      message: 'No text of the skill mentions this file.',
      fix: 'Say in SKILL.md when to use it, or remove it.',
    });
  }
  return findings;
}

/**
 * @param {string} text
 * @param {string} path
 */
function mentions(text, path) {
  const folders = path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  return (
    text.includes(path) ||
    text.includes(basename(path)) ||
    folders.filter((folder) => folder.includes('/')).some((folder) => text.includes(`${folder}/`))
  );
}

/**
 * @param {SkillFile[]} files
 * @returns {Finding[]}
 */
function checkScripts(files) {
  /** @type {Finding[]} */
  const findings = [];
  for (const { path, file, kind, size } of files) {
    if (kind !== 'file' || size > LIMITS.largeBytes) continue;
    if (/\.[cm]?js$/u.test(path)) {
      const { status, stderr } = spawnSync(process.execPath, ['--check', file], {
        encoding: 'utf8',
        timeout: 30_000,
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      if (status !== 0)
        findings.push({
          severity: 'error',
          code: 'script-broken',
          file: path,
          line: null,
          message: `Node cannot parse it: ${shown(/^\w*Error: .*$/mu.exec(stderr)?.[0] ?? stderr)}`,
          fix: 'Run node --check on it.',
        });
    }
    if (!/\.(?:sh|bash|py|rb|pl)$/u.test(path)) continue;
    const start = readFileSync(file, 'latin1').slice(0, 200).split('\n', 1)[0] ?? '';
    if (!start.startsWith('#!'))
      findings.push({
        severity: 'info',
        code: 'script-no-shebang',
        file: path,
        line: 1,
        message: 'The script does not say what runs it.',
        fix: 'Begin it with #!/usr/bin/env and the program.',
      });
    else if (start.endsWith('\r'))
      findings.push({
        severity: 'error',
        code: 'script-crlf',
        file: path,
        line: 1,
        message: 'The first line ends with a carriage return, so the program is not found.',
        fix: 'Save it with LF line ends.',
      });
  }
  return findings;
}

/**
 * @param {{ body: string, bodyLine: number }} text
 * @param {string} whole
 * @returns {Finding[]}
 */
function checkBody({ body, bodyLine }, whole) {
  /** @type {Finding[]} */
  const findings = [];
  const lines = body.split('\n');
  const add = (
    /** @type {Severity} */ severity,
    /** @type {string} */ code,
    /** @type {number} */ line,
    /** @type {string} */ message,
    /** @type {string} */ fix,
  ) => findings.push({ severity, code, file: 'SKILL.md', line, message, fix });
  if (body.trim() === '')
    add(
      'warning',
      'body-empty',
      bodyLine,
      'There is nothing after the front matter.',
      'Write what an agent should do.',
    );
  if (lines.length > LIMITS.bodyLines)
    add(
      'warning',
      'body-long',
      bodyLine,
      `The body has ${lines.length} lines.`,
      `Move parts into references/ until it has fewer than ${LIMITS.bodyLines}.`,
    );
  const tokens = Math.round(body.length / 4);
  if (tokens > LIMITS.bodyTokens)
    add(
      'info',
      'body-many-tokens',
      bodyLine,
      `The body costs about ${tokens} tokens each time it is read.`,
      'Move what is not always needed into references/.',
    );
  const placeholder = whole
    .split(/\r\n|\n/u)
    .findIndex((line) => /\b(?:TODO|FIXME|TBD|XXX)\b(?![`"”])/u.test(line.replace(/`[^`]*`/gu, '')));
  if (placeholder >= 0)
    add('warning', 'placeholder', placeholder + 1, 'A placeholder is left over.', 'Write what belongs there.');
  return findings;
}

/**
 * @param {string} folder
 * @param {{ strict: boolean, offline: boolean }} options
 * @returns {{ path: string, findings: Finding[], notes: string[] }}
 */
function checkSkill(folder, { strict, offline }) {
  const path = shown(folder);
  const broken = (/** @type {string} */ code, /** @type {string} */ message, /** @type {string} */ fix) => ({
    path,
    findings: [{ severity: /** @type {const} */ ('error'), code, file: '.', line: null, message, fix }],
    notes: [],
  });
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return broken('no-folder', 'There is no such folder.', 'Name the folder that has SKILL.md.');
  const root = realpathSync(folder);
  const { files, findings } = listFiles(root);
  const manifest = files.find((file) => file.path === 'SKILL.md');
  const similar = files.find((file) => file.path.toLowerCase() === 'skill.md');
  if (manifest === undefined || manifest.kind !== 'file') {
    return broken(
      'no-skill-md',
      similar === undefined ? 'There is no SKILL.md.' : `SKILL.md is called ${similar.path}.`,
      similar === undefined ? 'Write one: see assets/template of the skill-author skill.' : 'Rename it to SKILL.md.',
    );
  }
  if (manifest.size > LIMITS.textBytes)
    return broken('skill-md-large', `SKILL.md has ${manifest.size} bytes.`, 'Move its contents into references/.');
  const bytes = readFileSync(manifest.file);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return broken('not-utf8', 'SKILL.md is not UTF-8.', 'Save it as UTF-8.');
  const linted = offline ? { note: '' } : lint(root, strict);
  const head = frontMatterOf(text) ?? { body: text, bodyLine: 1 };
  const more = [
    ...findings,
    ...checkFiles(files),
    ...checkReferences(root, files, head),
    ...checkScripts(files),
    ...checkBody(head, text),
  ];
  if ('note' in linted) {
    const own = checkFrontMatter(text, basename(root), strict);
    return { path, findings: [...own, ...more], notes: linted.note === '' ? [] : [linted.note] };
  }
  return { path, findings: [...linted.findings, ...more.filter(({ code }) => !JUDGED_BY_LINT.has(code))], notes: [] };
}

/** @param {string[]} args */
function main(args) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        offline: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return HELP;
  if (values.version) return `${VERSION}\n`;
  if (positionals.length === 0) throw new UsageError('No skill folder was named.');
  const skills = positionals.map((folder) => checkSkill(resolve(folder), values));
  const all = skills.flatMap(({ findings }) => findings);
  const [errors = 0, warnings = 0] = ['error', 'warning'].map(
    (severity) => all.filter((finding) => finding.severity === severity).length,
  );
  const ok = errors === 0 && (!values.strict || warnings === 0);
  if (!ok) process.exitCode = 1;
  if (values.json) return `${JSON.stringify({ ok, errors, warnings, skills }, undefined, 2)}\n`;
  for (const note of new Set(skills.flatMap(({ notes }) => notes))) process.stderr.write(`note: ${note}\n`);
  const lines = skills.flatMap(({ path, findings }) => [
    `${path}: ${findings.length === 0 ? 'nothing to mend' : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`}`,
    ...findings.map(
      ({ severity, code, file, line, message, fix }) =>
        `  ${severity} ${code} ${shown(file)}${line === null ? '' : `:${line}`} ${shown(message)} — ${shown(fix)}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

try {
  process.stdout.write(main(process.argv.slice(2)));
} catch (error) {
  const wrong = error instanceof UsageError;
  process.stderr.write(
    wrong
      ? `error USAGE: ${error.message}\nhint: Run with --help.\n`
      : `error DEFECT of this script: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = wrong ? 2 : 1;
}
