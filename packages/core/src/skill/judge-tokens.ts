import { CST, Lexer } from 'yaml';
import type { SkillLimits } from './skill-limits.js';

const tokensPerValue = 3;
const escapesPerValue = 1;

/**
 * Why YAML is not even to be parsed; `undefined` when it may be. Parsing costs time by token, by level and by bad escape,
 * and a deep enough file overflows the stack of a recursive parser; the lexer is linear and does not recurse.
 */
export function judgeTokens(yaml: string, limits: SkillLimits): string | undefined {
  let tokens = 0;
  let escapes = 0;
  let flowDepth = 0;
  let lineDepth = 0;
  let afterMark = false;
  for (const token of new Lexer().lex(yaml)) {
    tokens += 1;
    if (tokens > limits.values * tokensPerValue) return `it has more than ${limits.values} values`;
    // A mark announces the text of a scalar, which may look like any other token.
    const type: CST.TokenType | 'text' | null = afterMark ? 'text' : CST.tokenType(token);
    afterMark = type === 'scalar';
    switch (type) {
      case 'newline':
        lineDepth = 0;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
        lineDepth += 1;
        break;
      case 'flow-map-start':
      case 'flow-seq-start':
        flowDepth += 1;
        break;
      case 'flow-map-end':
      case 'flow-seq-end':
        flowDepth -= 1;
        break;
      case 'directive-line':
        return 'it has YAML directives (%)';
      case 'double-quoted-scalar':
        escapes += token.split('\\').length - 1;
        break;
      default:
    }
    if (flowDepth > limits.depth || lineDepth > limits.depth) return `it has more than ${limits.depth} levels`;
    if (escapes > limits.values * escapesPerValue) return `it has more than ${limits.values} escapes`;
  }
  return undefined;
}
