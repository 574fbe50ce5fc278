import { ProtocolError, ProtocolErrorCode, type CallToolResult, type McpServer } from '@modelcontextprotocol/server';
import {
  createSkillSession,
  createSkillTools,
  SkillsError,
  type SkillSession,
  type Tool,
  type ToolResult,
} from '@skillpack/core';
import { listSkillsTool } from './list-skills-tool.js';
import { ofProtocol } from './registry-source.js';
import type { ServedSkills } from './served-skills.js';
import type { SkillsServerPorts } from './skills-server-options.js';

const offered = new Set(['read_skill', 'read_skill_file', 'search_skills']);

/**
 * Offers skills as tools, for clients that do not know the extension: `list_skills`, `search_skills`, `read_skill` and
 * `read_skill_file`. A connection may serve many conversations, of which the server knows nothing, so each call stands for
 * itself: a text is given again however often it is asked for.
 */
export function answerTools(mcp: McpServer, served: ServedSkills, ports: SkillsServerPorts): void {
  const { server } = mcp;
  server.registerCapabilities({ tools: { listChanged: true } });
  server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal } }) =>
    ofProtocol(async () => {
      const { tools } = await openSession(served, ports, signal);
      return {
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          // A tool of skills takes an object, which is all that the type of the protocol adds.
          inputSchema: inputSchema as { type: 'object' },
          annotations: { readOnlyHint: true, openWorldHint: false },
        })),
      };
    }),
  );
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { id, signal } }) =>
    ofProtocol(async () => {
      const { tools, session } = await openSession(served, ports, signal);
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
      const input = params.arguments ?? {};
      const refused = tool.name === 'read_skill_file' ? await activate(session, input, signal) : undefined;
      const result = refused ?? toCallResult(await tool.run(input, { id: String(id), signal }));
      return server.projectCallToolResult(result, undefined);
    }),
  );
}

async function openSession(
  served: ServedSkills,
  ports: SkillsServerPorts,
  signal: AbortSignal,
): Promise<{ readonly session: SkillSession<Tool>; readonly tools: readonly Tool[] }> {
  const { index } = await served.current({ signal });
  const make = (own: SkillSession<Tool>, skills: typeof index.skills): readonly Tool[] =>
    createSkillTools(own, ports, { preset: 'registry', skills }).filter(({ name }) => offered.has(name));
  const session = createSkillSession<Tool>(
    served.registry,
    { sha256: ports.sha256 },
    { readingTools: (own, { skills }) => make(own, skills) },
  );
  const reading = make(session, index.skills);
  return { session, tools: reading.length === 0 ? [] : [listSkillsTool(index, ports), ...reading] };
}

/** A file is read of a skill that is active: here, of one that a model may have. What else is wrong, the tool says. */
async function activate(
  session: SkillSession<Tool>,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallToolResult | undefined> {
  const name = input['skill_name'];
  const entry = typeof name === 'string' ? await session.view.get(name, { signal }) : undefined;
  if (entry === undefined) return undefined;
  try {
    await session.activate(entry, { by: 'model', reason: 'asked for with read_skill_file', signal });
    return undefined;
  } catch (error) {
    if (!SkillsError.is(error) || signal.aborted) throw error;
    const text = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    return {
      isError: true,
      content: [{ type: 'text', text }],
      structuredContent: { success: false, code: error.code },
    };
  }
}

function toCallResult({ ok, content, output }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text: content }],
    structuredContent: { ...output },
    ...(ok ? {} : { isError: true }),
  };
}
