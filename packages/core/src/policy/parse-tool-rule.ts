import { quoted } from '../errors/quoted.js';
import { invisibleCharacters } from '../errors/visible-text.js';
import { parseCommandPattern } from './command-pattern.js';
import { parseDomainPattern } from './domain-pattern.js';
import { parsePathGlob } from './path-glob.js';
import type { PatternReading } from './pattern-reading.js';
import type { RiskClass } from './risk-class.js';
import { parseSkillPattern } from './skill-pattern.js';
import { otherSpelling, subjectOfName, type SubjectKind } from './tool-names.js';
import type { RulePattern, ToolRule } from './tool-rule.js';

const longestRule = 1_000;
const risks: ReadonlyMap<string, RiskClass> = new Map([
  ['risk:low', 'low'],
  ['risk:medium', 'medium'],
  ['risk:high', 'high'],
]);

/**
 * Reads a rule: `*`, `risk:low`, `read_file`, `Bash(git:*)`, `Read(src/**)`, `WebFetch(domain:example.com)`,
 * `run_script(skill:org/pdf)`, `mcp__server`. Never throws: what cannot be read says why.
 */
export function parseToolRule(text: string): ToolRule {
  if (text.length > longestRule) return unreadable(`It is longer than ${longestRule} characters.`);
  const rule = text.trim();
  if (rule === '*') return { kind: 'all' };
  const risk = risks.get(rule);
  if (risk !== undefined) return { kind: 'risk', risk };
  if (rule.startsWith('risk:')) return unreadable('A risk is low, medium or high.');
  const { name = '', inner } = /^(?<name>[^()]*)(?:\((?<inner>.*)\))?$/su.exec(rule)?.groups ?? {};
  const server = /^mcp__(?<server>[A-Za-z0-9_-]+?)(?:__\*)?$/u.exec(name)?.groups?.['server'];
  if (inner === undefined && server !== undefined && (name.endsWith('__*') || !server.includes('__'))) {
    return { kind: 'server', prefix: `mcp__${server}__` };
  }
  if (inner === undefined && /^mcp__[^*]*\*/u.test(name)) {
    return unreadable('A * stands for all tools of one server alone, as in mcp__github__*; else name each tool.');
  }
  if (!/^[A-Za-z0-9_-]{1,128}$/u.test(name)) {
    return unreadable('It begins with the name of a tool: letters, digits, _ and -; a pattern follows in parentheses.');
  }
  if (inner === undefined || inner.trim() === '*') return { kind: 'tool', name, pattern: undefined };
  const reading = readPattern(name, inner);
  if ('problem' in reading) return { kind: 'unreadable', name, problem: reading.problem };
  return { kind: 'tool', name, pattern: reading.pattern };
}

function unreadable(problem: string): ToolRule {
  return { kind: 'unreadable', problem };
}

function readPattern(name: string, inner: string): PatternReading<RulePattern> {
  const text = inner.trim();
  const ofSkill = readSkillPattern(name, text);
  if (ofSkill !== undefined) return ofSkill;
  const kind = subjectOfName(name);
  if (kind === undefined) {
    const other = otherSpelling(name);
    const instead = other === undefined ? '' : `, or ${other} if you mean that`;
    return { problem: `Nothing is known of the input of ${quoted(name)}: write its name alone${instead}.` };
  }
  if (text === '') return { problem: 'Its parentheses are empty; write the name alone for every use.' };
  if (text.search(invisibleCharacters) !== -1) return { problem: 'It holds a character that nobody can see.' };
  return patternReaders[kind](text);
}

/** `undefined` where it is a pattern of the input. */
function readSkillPattern(name: string, text: string): PatternReading<RulePattern> | undefined {
  if (name === 'run_script' && /^[^\s./:*]+$/u.test(text)) {
    const shown = quoted(text, 64).slice(1, -1);
    return {
      problem: `It may mean a skill or a file: write run_script(skill:${shown}) for the scripts of that skill, or run_script(./${shown}:*) for a script of that name.`,
    };
  }
  const [, skill] = /^skill:(.*)$/su.exec(text) ?? [];
  if (skill === undefined) return undefined;
  if (subjectOfName(name) === 'command' && name !== 'run_script') {
    // A program may be called so, too.
    return skill === '*' ? undefined : { problem: 'Commands are of no skill; its scripts are run_script(skill:pdf).' };
  }
  const reading = parseSkillPattern(skill);
  return 'problem' in reading ? reading : { pattern: { kind: 'skill', skill: reading.pattern } };
}

const patternReaders: Readonly<Record<SubjectKind, (text: string) => PatternReading<RulePattern>>> = {
  command(text) {
    const reading = parseCommandPattern(text);
    return 'problem' in reading ? reading : { pattern: { kind: 'command', command: reading.pattern } };
  },
  path(text) {
    const reading = parsePathGlob(text);
    return 'problem' in reading ? reading : { pattern: { kind: 'path', glob: reading.pattern } };
  },
  domain(text) {
    const [, domain] = /^domain:(.*)$/su.exec(text) ?? [];
    if (domain === undefined)
      return { problem: 'In the parentheses stands domain: and a host, as in domain:example.com.' };
    const reading = parseDomainPattern(domain);
    return 'problem' in reading ? reading : { pattern: { kind: 'domain', domain: reading.pattern } };
  },
};
