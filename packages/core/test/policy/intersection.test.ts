import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowedToolsMode } from '../../src/policy/allowed-tools-mode.js';
import { couldBeUsed } from '../../src/policy/could-be-used.js';
import { judgeToolUse } from '../../src/policy/judge-tool-use.js';
import type { AllowedToolsMode, Permissions, ToolRules } from '../../src/policy/permissions.js';
import type { PolicySkill, ToolUse } from '../../src/policy/tool-use.js';

/** One thing that can be done here, by the one word that stands for it in the oracle. */
interface Deed {
  readonly use: ToolUse;
  /** What it does, in words of the oracle: `cmd git status`. `?` is what nobody can read. */
  readonly acts: readonly string[];
}

const quiet = { runsCode: false, confined: false };

function command(line: string, acts: readonly string[]): Deed {
  const use = { action: 'call_tool', tool: 'run_command', risk: 'high', input: { command: line }, ...quiet } as const;
  return { use: { ...use, runsCode: true }, acts: acts.map((act) => `cmd ${act}`) };
}

function call(tool: string, input: unknown, act: string, risk: ToolUse['risk'] = 'low'): Deed {
  return { use: { action: 'call_tool', tool, risk, input, ...quiet }, acts: [act] };
}

function script(path: string, args: readonly string[]): Deed {
  const use = {
    action: 'run_script',
    tool: 'run_script',
    risk: 'medium',
    input: {},
    confined: false,
    runsCode: true,
  } as const;
  return {
    use: { ...use, script: { path, folder: '/skills/own', args } },
    acts: [`script ${[path, ...args].join(' ')}`],
  };
}

const deeds: readonly Deed[] = [
  command('git status', ['git status']),
  command('git push origin', ['git push origin']),
  command('git status && rm -rf x', ['git status', 'rm -rf x']),
  command('rm -rf x; git push', ['rm -rf x', 'git push']),
  command('github x', ['github x']),
  command('git $(x)', ['?']),
  command('', ['?']),
  call('run_command', {}, 'cmd ?', 'high'),
  call('read_file', { path: 'src/a.ts' }, 'read src/a.ts'),
  call('read_file', { path: 'src/../b' }, 'read UP b'),
  call('read_file', { path: 'docs/b.md' }, 'read docs/b.md'),
  call('read_file', 7, 'read ?'),
  call('write_file', { path: 'src/a.ts' }, 'write src/a.ts', 'high'),
  call('http_request', { url: 'https://a.org/x' }, 'fetch a.org', 'high'),
  call('http_request', { url: 'a.org' }, 'fetch ?', 'high'),
  call('shout', { path: 'src/a.ts' }, 'other shout', 'medium'),
  call('mcp__one__two', {}, 'mcp one two', 'medium'),
  script('scripts/x.py', ['a']),
  script('git', ['status']),
];

const all = /^/u;
const none = /^\b$/u;

/** Each rule: what it surely means, and what it may mean, as expressions over the words of the oracle. */
const rules: Readonly<Record<string, readonly [surely: RegExp, possibly: RegExp]>> = {
  '*': [all, all],
  Bash: [/^(?:cmd|script) /u, /^(?:cmd|script) /u],
  run_command: [/^cmd /u, /^cmd /u],
  run_script: [/^script /u, /^script /u],
  'Bash(git:*)': [/^cmd git(?: |$)/u, /^cmd (?:git(?: |$)|\?)|^script git /u],
  'Bash(git push:*)': [/^cmd git push(?: |$)/u, /^cmd (?:git push(?: |$)|\?)/u],
  'Bash(rm *)': [/^cmd rm(?: |$)/u, /^cmd (?:rm(?: |$)|\?)/u],
  'Shell(git status)': [/^cmd git status$/u, /^cmd (?:git status$|\?)|^script git status$/u],
  'run_script(scripts/x.py:*)': [/^script scripts\/x\.py/u, /^script scripts\/x\.py/u],
  Read: [/^read /u, /^read /u],
  'Read(src/**)': [/^read src\//u, /^read (?:src\/|\?)/u],
  'read_file(*.md)': [/^read .*\.md$/u, /^read (?:.*\.md$|\?)/u],
  'Edit(src/**)': [/^write src\//u, /^write src\//u],
  Write: [/^write /u, /^write /u],
  'WebFetch(domain:a.org)': [/^fetch a\.org$/u, /^fetch /u],
  shout: [/^other shout$/u, /^other shout$/u],
  'shout(x)': [none, /^other shout$/u],
  mcp__one: [/^mcp one /u, /^mcp one /u],
  mcp__one__two: [/^mcp one two$/u, /^mcp one two$/u],
  'Bash("x")': [none, /^(?:cmd|script) /u],
  'not a rule': [none, all],
};

/** Those of which it matters how much harm a tool can do. */
const risky: ReadonlyMap<string, string> = new Map([
  ['risk:low', 'low'],
  ['risk:medium', 'medium'],
  ['risk:high', 'high'],
]);

/** Those of one skill's tools: the tool, and which skills are meant. */
const ofSkills: ReadonlyMap<string, readonly [tool: string, skill: (skill: PolicySkill) => boolean]> = new Map([
  ['run_script(skill:a)', ['run_script', ({ name }) => name === 'a']],
  ['shout(skill:acme/x)', ['shout', ({ pack }) => pack === 'acme/x']],
  ['shout(skill:acme/*)', ['shout', ({ pack }) => pack === 'acme/x']],
]);

function meansSkill(text: string, { use }: Deed, list: keyof ToolRules, which: 0 | 1): boolean {
  const [tool, isMeant] = ofSkills.get(text) ?? [];
  if (isMeant === undefined || use.tool !== tool) return false;
  if (use.onBehalfOf === undefined) return which === 1;
  const { name, pack, scope, location } = use.onBehalfOf;
  const trusted = pack === undefined && (scope === 'project' || scope === 'user') && location.startsWith('/');
  return isMeant(use.onBehalfOf) && (list !== 'allow' || trusted || !text.includes(`:${name})`));
}

function means(text: string, deed: Deed, which: 0 | 1): (act: string) => boolean {
  const risk = risky.get(text);
  if (risk !== undefined) return () => deed.use.risk === risk;
  const expression = rules[text]?.[which] ?? none;
  return (act) => expression.test(act);
}

/** 0: refused, 1: asked, 2: allowed. By numbers, so that it is another way of thinking than that of the code. */
function rank(list: ToolRules, deed: Deed): number {
  const hit = (name: keyof ToolRules, act: string, which: 0 | 1): number =>
    Math.max(
      0,
      ...(list[name] ?? []).map((text) => Number(means(text, deed, which)(act) || meansSkill(text, deed, name, which))),
    );
  return Math.min(
    ...deed.acts.map((act) => {
      const positive = Math.max(2 * hit('allow', act, 0), hit('ask', act, 0));
      const ceiling = Math.min(2 - hit('ask', act, 1), 2 - 2 * hit('deny', act, 1));
      return Math.min(positive, ceiling);
    }),
  );
}

function listed({ allowedTools = [] }: PolicySkill, deed: Deed): boolean {
  const texts = allowedTools.filter((text) => text !== '*' && !risky.has(text));
  return deed.acts.every((act) => texts.some((text) => means(text, deed, 0)(act)));
}

const byDefault = {
  configured: { allow: ['risk:low'], ask: ['risk:medium'], deny: [] },
  run: { allow: ['*'], ask: [], deny: [] },
};

/** Each list that is left out is the usual one. */
function filled(layer: 'configured' | 'run', permissions: Permissions): ToolRules {
  return { ...byDefault[layer], ...permissions[layer] };
}

const kinds = ['refuse', 'ask', 'allow'] as const;

/** The configured, the run's and each restricting skill's, one set laid over the other; then what skills grant. */
function oracle(deed: Deed, permissions: Permissions, skills: readonly PolicySkill[]): (typeof kinds)[number] {
  const [configured, run] = [filled('configured', permissions), filled('run', permissions)];
  const { onBehalfOf } = deed.use;
  const counted = (onBehalfOf ? [onBehalfOf] : skills).filter(({ allowedTools }) => allowedTools !== undefined);
  const mode = (skill: PolicySkill): AllowedToolsMode => allowedToolsMode(skill, permissions);
  const restricting = counted
    .filter((skill) => mode(skill) === 'restrict')
    .map((skill) => (listed(skill, deed) ? 2 : 0));
  const common = Math.min(rank(configured, deed), rank(run, deed), ...restricting);
  const code = /^(?:cmd|script) /u.test(deed.acts.join()) || (deed.use.runsCode && deed.use.risk !== 'low');
  const grants = counted.some((skill) => mode(skill) === 'grant' && skill.disabled !== true && listed(skill, deed));
  const others = skills.filter((skill) => mode(skill) !== 'grant' && comesFromOthers(skill));
  if (others.length > 0) return kinds[common] ?? 'refuse';
  const harmless = deed.use.risk !== 'high' && (deed.use.confined || !code);
  if (askedByName(configured, deed) || askedByName(run, deed)) return kinds[common] ?? 'refuse';
  return kinds[common === 1 && grants && harmless ? 2 : common] ?? 'refuse';
}

/** Whether a person wrote down a question that this is, other than one about a whole class of tools. */
function askedByName({ ask = [] }: ToolRules, deed: Deed): boolean {
  const named = ask.filter((text) => text !== '*' && !risky.has(text));
  return named.some((text) => meansSkill(text, deed, 'ask', 1) || deed.acts.some(means(text, deed, 1)));
}

/** Whether a text that a model follows may be that of a stranger: a pack brought it, it is configured besides, or not here. */
function comesFromOthers({ pack, scope, location }: PolicySkill): boolean {
  return pack !== undefined || scope === 'other' || !(scope === 'builtin' ? true : location.startsWith('/'));
}

const ruleText = fc.constantFrom(...Object.keys(rules), ...risky.keys(), ...ofSkills.keys());
const ruleList = fc.array(ruleText, { maxLength: 4 });
const wide = fc.record({ allow: fc.constant(['*']) });
const toolRules: fc.Arbitrary<ToolRules> = fc.oneof(
  wide,
  fc.record({ allow: ruleList, ask: ruleList, deny: fc.array(ruleText, { maxLength: 2 }) }, { requiredKeys: [] }),
);
const mode = fc.constantFrom<AllowedToolsMode>('grant', 'restrict', 'ignore');
const permissions: fc.Arbitrary<Permissions> = fc.record(
  {
    configured: toolRules,
    run: toolRules,
    allowedTools: fc.oneof(mode, fc.dictionary(fc.constantFrom('a', 'b', 'acme/x', 'acme/*'), mode, { maxKeys: 3 })),
  },
  { requiredKeys: [] },
);
const skill: fc.Arbitrary<PolicySkill> = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  location: fc.constantFrom('/skills/own', '/skills/other', 'https://a.org/skill'),
  pack: fc.constantFrom(undefined, 'acme/x', 'other/y'),
  scope: fc.constantFrom('project', 'other', 'user', 'builtin'),
  allowedTools: fc.option(ruleList, { nil: undefined }),
  disabled: fc.constantFrom(undefined, false, true),
});
const skills = fc.array(skill, { maxLength: 3 });
const deed = fc
  .tuple(fc.constantFrom(...deeds), fc.option(skill, { nil: undefined }), fc.boolean(), fc.boolean())
  .map(([{ use, acts }, onBehalfOf, runsCode, confined]): Deed => ({
    use: { ...use, onBehalfOf, confined, runsCode: use.runsCode || runsCode },
    acts,
  }));

function judged({ use }: Deed, given: Permissions, ledger: readonly PolicySkill[]): number {
  return kinds.indexOf(judgeToolUse(use, { permissions: given, skills: ledger }).kind);
}

const runs = { numRuns: 2_000 };

test('PSA-12: what is judged is what the configuration, the run and the skills have in common, and what skills grant', () => {
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      expect(judgeToolUse(done.use, { permissions: given, skills: ledger }).kind).toBe(oracle(done, given, ledger));
    }),
    { numRuns: 8_000 },
  );
});

test('PSA-12: nothing is allowed or asked that the configuration, the run or a restricting skill leaves out', () => {
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      fc.pre(judged(done, given, ledger) > 0);
      expect(rank(filled('configured', given), done)).toBeGreaterThan(0);
      expect(rank(filled('run', given), done)).toBeGreaterThan(0);
      for (const one of done.use.onBehalfOf === undefined ? ledger : [done.use.onBehalfOf]) {
        const restricts = one.allowedTools !== undefined && allowedToolsMode(one, given) === 'restrict';
        expect(restricts && !listed(one, done)).toBe(false);
      }
    }),
    runs,
  );
});

test('PSA-12: one skill more widens nothing but what it grants, and that no further than from a question to a yes', () => {
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      const [one, ...others] = ledger;
      fc.pre(one !== undefined);
      const [before, after] = [judged(done, given, others), judged(done, given, ledger)];
      const grants = one.disabled !== true && allowedToolsMode(one, given) === 'grant' && listed(one, done);
      expect(after).toBeLessThanOrEqual(grants && before > 0 ? 2 : before);
    }),
    runs,
  );
});

test('PSA-12: no grant turns a refusal', () => {
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      fc.pre(judged(done, { ...given, allowedTools: 'ignore' }, ledger) === 0);
      expect(judged(done, { ...given, allowedTools: 'grant' }, ledger)).toBe(0);
      expect(judged(done, given, ledger)).toBe(0);
    }),
    runs,
  );
});

test('PSA-12: no grant answers a question that a person asked by the name of the tool', () => {
  const layer = fc.constantFrom('configured' as const, 'run' as const);
  fc.assert(
    fc.property(deed, permissions, skills, layer, (done, given, ledger, where) => {
      const layerRules = filled(where, given);
      const asked = { ...given, [where]: { ...layerRules, ask: [...(layerRules.ask ?? []), done.use.tool] } };
      expect(judged(done, { ...asked, allowedTools: 'grant' }, ledger)).toBeLessThan(2);
    }),
    runs,
  );
});

test('PSA-12: no grant spares the question for code that nothing confines', () => {
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      const { use } = done;
      fc.pre(
        !use.confined &&
          (use.action === 'run_script' || use.tool === 'run_command' || (use.runsCode && use.risk !== 'low')),
      );
      expect(judged(done, { ...given, allowedTools: 'grant' }, ledger)).toBe(
        judged(done, { ...given, allowedTools: 'ignore' }, ledger),
      );
    }),
    runs,
  );
});

test('PSA-12: one more rule of what is denied widens nothing, nor does one of what is asked where something is allowed', () => {
  fc.assert(
    fc.property(deed, permissions, skills, ruleText, (done, given, ledger, rule) => {
      const configured = filled('configured', given);
      const before = judged(done, given, ledger);
      const denied = { ...configured, deny: [...(configured.deny ?? []), rule] };
      expect(judged(done, { ...given, configured: denied }, ledger)).toBeLessThanOrEqual(before);
      fc.pre(before > 0);
      const asked = { ...configured, ask: [...(configured.ask ?? []), rule] };
      expect([1, before]).toContain(judged(done, { ...given, configured: asked }, ledger));
    }),
    runs,
  );
});

test('PSA-12: a list of what is denied alone takes away, and nothing else', () => {
  const denied = fc.array(ruleText, { maxLength: 2 });
  fc.assert(
    fc.property(deed, denied, denied, skills, (done, everywhere, here, ledger) => {
      const hits = [...everywhere, ...here].some(
        (text) => meansSkill(text, done, 'deny', 1) || done.acts.some(means(text, done, 1)),
      );
      const given = { configured: { deny: everywhere }, run: { deny: here } };
      expect(judged(done, given, ledger)).toBe(hits ? 0 : judged(done, {}, ledger));
    }),
    runs,
  );
});

test('PSA-12: the order of rules and of skills does not matter', () => {
  const shuffled = (list: ToolRules | undefined): ToolRules | undefined =>
    list && { allow: list.allow?.toReversed(), ask: list.ask?.toReversed(), deny: list.deny?.toReversed() };
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      const turned = { ...given, configured: shuffled(given.configured), run: shuffled(given.run) };
      const other = ledger.map((one) => ({ ...one, allowedTools: one.allowedTools?.toReversed() })).toReversed();
      expect(judged(done, turned, other)).toBe(judged(done, given, ledger));
    }),
    runs,
  );
});

test('PSA-12, AGIO-16: skills whose allowed tools are ignored neither widen nor narrow', () => {
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      const ignoring = { ...given, allowedTools: 'ignore' } as const;
      const { onBehalfOf } = done.use;
      const silent = onBehalfOf && { ...onBehalfOf, allowedTools: undefined };
      const alone = { ...done, use: { ...done.use, onBehalfOf: silent } };
      expect(judged(done, ignoring, ledger)).toBe(judged(alone, ignoring, []));
    }),
    runs,
  );
});

test('a tool of which a use could be allowed or asked is one that could be used', () => {
  fc.assert(
    fc.property(deed, permissions, skills, (done, given, ledger) => {
      const context = { permissions: given, skills: ledger };
      const { action, tool, risk, onBehalfOf } = done.use;
      if (judged(done, given, ledger) > 0) expect(couldBeUsed({ action, tool, risk, onBehalfOf }, context)).toBe(true);
    }),
    runs,
  );
});

test('SPEC-05: whatever texts rules are and whatever a model gives, a judgement is made', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom('Bash', 'Read', '(', ')', '*', '/', ':', '[', 'git', ' '), maxLength: 12 }),
  );
  const list = fc.array(text, { maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...deeds), fc.anything(), list, list, ({ use }, input, rulesGiven, names) => {
      const ledger: PolicySkill[] = [{ name: 'a', location: '/a', pack: 'acme/x', scope: 'user', allowedTools: names }];
      for (const given of [
        { allow: rulesGiven },
        { allow: ['*'], deny: rulesGiven },
        { allow: ['*'], ask: rulesGiven },
      ]) {
        const { kind } = judgeToolUse({ ...use, input }, { permissions: { configured: given }, skills: ledger });
        expect(kinds).toContain(kind);
      }
    }),
    runs,
  );
});
