import { rulesOf, type AllowedToolsMode, type ListedRules, type Permissions, type ToolRules } from './permissions.js';

/**
 * Permissions that somebody else may have written: what they refuse stays refused, and what they allow is asked for, but
 * for what only reads. Of the ways in which `allowed-tools` count, those that only take away are left.
 */
export function askedAgain(permissions: Permissions): Permissions {
  const { configured, run, allowedTools } = permissions;
  return {
    configured: configured && rulesAskedAgain(rulesOf('configured', permissions)),
    // Of the two, the stricter one counts.
    run,
    allowedTools: typeof allowedTools === 'object' ? modesAskedAgain(allowedTools) : modeAskedAgain(allowedTools),
  };
}

function rulesAskedAgain({ allow, ask, deny }: ListedRules): ToolRules {
  const rules = allow.map((rule) => rule.trim());
  const reading = rules.some((rule) => rule === '*' || rule === 'risk:low');
  const others = rules.flatMap((rule) => {
    if (rule === 'risk:low') return [];
    return rule === '*' ? ['risk:medium', 'risk:high'] : [rule];
  });
  return { allow: reading ? ['risk:low'] : [], ask: [...new Set([...ask, ...others])], deny };
}

/** What a skill grants itself, only its source decides; that it may do more than it lists, nobody said who is here now. */
function modesAskedAgain(
  modes: Readonly<Record<string, AllowedToolsMode>>,
): Readonly<Record<string, AllowedToolsMode>> {
  const kept = Object.entries(modes).filter(([, mode]) => mode !== 'grant');
  return Object.fromEntries(kept.map(([name]) => [name, 'restrict']));
}

function modeAskedAgain(mode: AllowedToolsMode | undefined): AllowedToolsMode | undefined {
  return mode === undefined || mode === 'grant' ? undefined : 'restrict';
}
