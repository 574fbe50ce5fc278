/** A list of tools, and whether every parenthesis in it had its partner. */
export interface SplitTools {
  readonly tools: readonly string[];
  readonly balanced: boolean;
}

/**
 * Splits a list of tools at white space and commas that stand outside parentheses: `Bash(git:*, rm) Read` is two tools.
 * Each tool is named once.
 */
export function splitAllowedTools(text: string): SplitTools {
  const tools = new Set<string>();
  let depth = 0;
  let balanced = true;
  let from = 0;
  const take = (to: number): void => {
    const tool = text.slice(from, to).trim();
    if (tool !== '') tools.add(tool);
    from = to + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '(') depth += 1;
    else if (character === ')' && depth > 0) depth -= 1;
    else if (character === ')') balanced = false;
    else if (depth === 0 && /[\s,]/u.test(character)) take(at);
  }
  take(text.length);
  return { tools: [...tools], balanced: balanced && depth === 0 };
}
