// oxlint-disable-next-line no-restricted-imports -- whoever defines a tool may have it
import * as full from 'zod';
import * as z from 'zod/mini';
import { defineTool } from './define-tool.js';
import type { DefineToolPorts } from './make-tool.js';

declare const ports: DefineToolPorts;
const told = { name: 'shout', description: 'Writes in capital letters.', risk: 'low' } as const;

defineTool({ ...told, input: z.object({ text: z.string() }), run: ({ text }) => ({ content: text.trim() }) }, ports);
defineTool(
  { ...told, input: full.object({ at: full.coerce.number() }), run: ({ at }) => ({ content: at.toFixed() }) },
  ports,
);
// @ts-expect-error -- the input has no such field
defineTool({ ...told, input: z.object({ text: z.string() }), run: ({ words }) => ({ content: words }) }, ports);
// @ts-expect-error -- the input is no object
defineTool({ ...told, input: z.string(), run: () => ({ content: '' }) }, ports);
