import type { SkillDiagnostic } from '@skillpack/core';
import type { Style } from '../frame/style.js';
import { formatBytes } from '../frame/progress-line.js';
import type { InspectedPack } from '../skills/inspect-pack.js';
import type { InspectedSkill } from '../skills/inspect-skill.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** One skill or one pack in detail, for people. */
export function renderInspection(found: InspectedSkill | InspectedPack, style: Style): string {
  return found.kind === 'skill' ? renderSkill(found, style) : renderPack(found, style);
}

function renderSkill(skill: InspectedSkill, style: Style): string {
  const rows: (readonly [string, string | null])[] = [
    ['scope', skill.scope],
    ['pack', skill.installed === null ? skill.pack : `${skill.pack ?? ''} ${skill.installed.version}`],
    ['from', skill.installed?.source.location ?? null],
    ['content', skill.installed?.treeDigest ?? null],
    ['installed', skill.installed?.installedAt ?? null],
    ['path', skill.path],
    ['digest', skill.digest === null ? null : `${skill.digest} (for --approve)`],
    ['version', skill.version],
    ['author', skill.author],
    ['license', skill.license],
    ['needs', skill.compatibility],
    ['tools', skill.allowedTools === null ? null : skill.allowedTools.join(' ')],
    ['called by', callers(skill)],
    ['text', `${count(skill.bodyLines, 'line')}${skill.body === undefined ? ' (--body shows them)' : ''}`],
  ];
  const lines = [
    style.bold(skill.name),
    skill.description ?? style.yellow('It has no description, so no model is offered it.'),
    '',
    table(rows),
    '',
    ...skill.files.map(({ path, size }) => `  ${path}  ${style.dim(formatBytes(size))}`),
  ];
  for (const { scope, path } of skill.others)
    lines.push('', style.yellow(`Another skill of this name (${scope}): ${path}`));
  if (skill.diagnostics.length > 0) lines.push('', ...skill.diagnostics.map((found) => finding(found, style)));
  if (skill.body !== undefined) lines.push('', skill.body);
  return lines.join('\n');
}

function finding({ line, column, severity, message, code }: SkillDiagnostic, style: Style): string {
  const paint = { error: style.red, warning: style.yellow, info: style.dim }[severity];
  const place = ['SKILL.md', line, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${paint(severity)}: ${message} ${style.dim(`[${code}]`)}`;
}

function callers({ modelInvocable, userInvocable }: InspectedSkill): string {
  if (modelInvocable && userInvocable) return 'models and people';
  if (modelInvocable) return 'models';
  return userInvocable ? 'people' : 'nobody';
}

function renderPack(pack: InspectedPack, style: Style): string {
  const { version } = pack;
  const tags = Object.entries(pack.tags).map(([tag, of]) => `${tag} ${of}`);
  const needs = [
    ...(version.requires.bins ?? []),
    ...(version.requires.env ?? []),
    ...(version.requires.platforms ?? []),
  ];
  const rows: (readonly [string, string | null])[] = [
    ['registry', pack.registry],
    ['published', version.published],
    ['license', pack.license],
    ['skills', version.skills.join(', ')],
    ['depends on', list(Object.entries(version.dependencies).map(([name, range]) => `${name}@${range}`))],
    ['needs', list(needs)],
    ['archives', list(version.archives.map(({ format, size }) => `${format} ${formatBytes(size)}`))],
    ['content', version.treeDigest],
    ['tags', list(tags)],
    ['versions', list(pack.versions.slice(0, 10).map((one) => one.version))],
    ['deprecated', pack.deprecated],
    ['withdrawn', version.yanked],
  ];
  return [`${style.bold(pack.name)} ${version.version}`, pack.description, '', table(rows)].join('\n');
}

function list(items: readonly string[]): string | null {
  return items.length === 0 ? null : items.join(', ');
}

function table(rows: readonly (readonly [string, string | null])[]): string {
  return columns(
    rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== ''),
    '  ',
  );
}
