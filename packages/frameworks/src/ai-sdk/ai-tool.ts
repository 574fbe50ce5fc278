import type { Tool } from '@skillpack/core';
import type { ToolSet } from 'ai';

/** A tool of the AI SDK. */
export type AiTool = ToolSet[string];

/** Our tools as a list, or tools by name: ours, and those of the AI SDK as they are. */
export type AiTools = readonly Tool[] | Readonly<Record<string, Tool | AiTool>>;

/** Of the agent's own tools, those of the AI SDK, with their types. All others are dynamic tools to it. */
export type AiToolSet<Own> = {
  [Name in keyof Own as Own extends readonly unknown[] ? never : Own[Name] extends AiTool ? Name : never]: Extract<
    Own[Name],
    AiTool
  >;
};
