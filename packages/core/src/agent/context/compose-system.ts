import { visibleLines } from '../../errors/visible-text.js';
import type { AgentActionKind } from '../../model/action.js';
import type { ToolDescription } from '../../tool/tool.js';
import { headAndTail } from './cut-text.js';
import { withoutPromptTags } from './prompt-tags.js';
import { renderTools } from './render-tools.js';
import { answerRules, defaultSystemText } from './system-text.js';

/** The parts of a system text. */
export interface SystemParts {
  readonly actions: readonly AgentActionKind[];
  /** @default one sentence */
  readonly system?: string | undefined;
  /** What the project says of itself. @default nothing */
  readonly instructions?: string | undefined;
  /** Those that the model is told of here. @default [] */
  readonly tools?: readonly ToolDescription[] | undefined;
}

// As much as other agents read of such a file.
const instructionsLength = { head: 48 * 1024, tail: 16 * 1024 };

/**
 * The system text: the part that is always there, what the project says of itself, how to answer, the tools, and the
 * catalogue.
 */
export function composeSystem(catalogue: string, parts: SystemParts): string {
  const { actions, system = defaultSystemText, instructions, tools = [] } = parts;
  const texts = [system, projectInstructions(instructions), answerRules(actions), renderTools(tools), catalogue];
  return texts.filter((text) => text !== '').join('\n\n');
}

/** What an AGENTS.md says, labelled as the project's; empty where it says nothing. */
function projectInstructions(instructions: string | undefined): string {
  if (instructions === undefined || instructions.trim() === '') return '';
  const text = withoutPromptTags(visibleLines(headAndTail(instructions.trim(), instructionsLength)));
  return `The project you work in says of itself (AGENTS.md):\n\n<project_instructions>\n${text}\n</project_instructions>`;
}
