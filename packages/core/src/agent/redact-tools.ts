import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { JsonObject } from '../json/json-value.js';
import { isRisk } from '../tool/make-tool.js';
import type { Tool } from '../tool/tool.js';
import type { AgentPorts } from './agent-run.js';
import { redactOutput } from './redact-event.js';

/** Ports whose tools describe themselves as the record does, so that the model is told what the record holds. */
export function redactTools(ports: AgentPorts, redact: (text: string) => string): AgentPorts {
  const redacted = (tools: readonly Tool[] | undefined): readonly Tool[] | undefined =>
    tools?.map((tool) => redactTool(tool, redact));
  const { tools, skillTools, groupedTools } = ports;
  const grouped = Object.entries(groupedTools ?? {}).map(([skill, group]) => [skill, redacted(group) ?? []] as const);
  return {
    ...ports,
    tools: redacted(tools),
    skillTools: redacted(skillTools),
    groupedTools: groupedTools === undefined ? undefined : Object.fromEntries(grouped),
  };
}

function redactTool(tool: Tool, redact: (text: string) => string): Tool {
  const { name, description, inputSchema, risk, check } = tool;
  // It may be written in a language without types.
  const { runsCode, confined }: { readonly runsCode?: unknown; readonly confined?: unknown } = tool;
  return {
    name,
    description: redact(description.toWellFormed()),
    // An object stays one.
    inputSchema: redactOutput(inputSchema, redact) as JsonObject,
    // Of whatever does not say how much harm it can do, the most is expected.
    risk: isRisk(risk) ? risk : 'high',
    // What does not say clearly that it is harmless, or kept from harm, is neither.
    ...(runsCode === undefined ? {} : { runsCode: runsCode !== false }),
    ...(confined === undefined ? {} : { confined: confined === true }),
    ...(check === undefined ? {} : { check: (input) => checkInput(tool, input) }),
    run: async (input, context) => tool.run(input, context),
  };
}

/** What is said later, nobody waits for: then it was not checked. */
function checkInput(tool: Tool, input: unknown): void {
  const answer: unknown = tool.check?.(input);
  if (!(answer instanceof Promise)) return;
  answer.catch(() => {});
  throw new SkillsError(
    'INTERNAL',
    `The check of the tool ${quoted(tool.name, 64)} answers later, and has to at once.`,
  );
}
