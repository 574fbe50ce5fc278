import { defaultToolRules, describeToolRule, namedTools, quoted } from '@skillpack/core';
import { docPages } from '../frame/doc-pages.js';
import type { PermissionSettings } from './config-file.js';
import { toolNames, toolRisks } from './known-tools.js';

/** What is told of rules of `allow` that mean only what a rule of `ask` asks about, whatever it is given. */
export function rulesWithoutEffect({ allow = [], ask }: PermissionSettings): readonly string[] {
  const asking = ask ?? defaultToolRules.ask ?? [];
  return allow.flatMap((rule) => {
    const covering = asking.find((other) => covers(other, rule));
    if (covering === undefined) return [];
    const where =
      ask === undefined
        ? `${quoted(covering)} asks, which is in “ask” where you leave that out`
        : `${quoted(covering)} in “permissions.ask” asks`;
    return [
      `${quoted(rule)} in “permissions.allow” has no effect: ${where}, and “ask” beats “allow”. ${docPages.permissions} says how to be asked about less.`,
    ];
  });
}

/** Whether a rule asks about all that another one means. */
function covers(asking: string, allowing: string): boolean {
  const [ask, allow] = [asking, allowing].map(describeToolRule);
  if (ask?.kind === 'all' || asking.trim() === allowing.trim()) return true;
  if (allow?.kind === 'risk' || allow?.kind === 'all' || ask === undefined) return false;
  const meant = namedTools(allowing, toolNames);
  if (meant.length === 0) return false;
  if (ask.kind === 'risk') return meant.every((tool) => toolRisks.get(tool) === ask.risk);
  const asked = namedTools(asking, toolNames);
  return ask.kind === 'tool' && ask.uses === 'all' && meant.every((tool) => asked.includes(tool));
}
