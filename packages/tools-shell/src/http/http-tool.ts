import {
  defineTool,
  SkillsError,
  type Tool,
  type ToolDefinition,
  type ToolOutcome,
  expectOptions,
} from '@skillpack/core';
import * as z from 'zod/mini';
import { expectTexts } from '../expect-texts.js';
import { describeAnswer } from './describe-answer.js';
import { readHostPolicy } from './host-policy.js';
import { fillHttpLimits } from './http-limits.js';
import { httpMethods, makeHttpRequest } from './http-request.js';
import type { HttpToolOptions, HttpToolPorts } from './http-tool-options.js';
import { readProxy } from './proxy.js';
import { sendRequest } from './send-request.js';

const inputSchema = z.strictObject({
  url: z
    .string()
    .check(z.minLength(1), z.maxLength(8_192))
    .register(z.globalRegistry, { description: 'An https URL, with its host in plain letters (a-z, 0-9, xn--).' }),
  method: z._default(z.enum(httpMethods), 'GET'),
  headers: z
    .optional(z.record(z.string().check(z.maxLength(128)), z.string().check(z.maxLength(8_192))))
    .register(z.globalRegistry, { description: 'By name. None that holds credentials or cookies.' }),
  body: z
    .optional(z.string())
    .register(z.globalRegistry, { description: 'A text, sent as UTF-8. Name its type in content-type.' }),
});

const optionNames: Readonly<Record<keyof HttpToolOptions, true>> = {
  domains: true,
  allowPrivate: true,
  otherHosts: true,
  environment: true,
  certificates: true,
  timeout: true,
  minimumRate: true,
  rateWindow: true,
  requestBytes: true,
  answerBytes: true,
  headerBytes: true,
  answerLength: true,
};

/**
 * Makes `http_request`, by which an agent asks servers: by https, and on the open internet alone unless options name
 * hosts. Every address that a host has is judged, after every redirect, and a connection goes to one that was judged. No
 * cookie, token or password of anybody is sent. What goes wrong is a result; so is what a server refuses.
 *
 * @throws `USAGE` for an option that there is not, hosts that are none and limits that are no whole numbers above 0, `INVALID_CONFIG` for a proxy that
 * is none.
 * @example
 * ```ts
 * const tool = createHttpTool({ clock: systemClock, redact }, { domains: ['example.com', '*.example.com'] });
 * ```
 */
export function createHttpTool(
  { clock, redact = unchanged, lookup = resolveHost }: HttpToolPorts,
  options: HttpToolOptions,
): Tool {
  expectOptions(options, { of: 'createHttpTool', names: optionNames });
  for (const name of ['domains', 'allowPrivate', 'certificates'] as const) expectTexts(options[name], name);
  const limits = fillHttpLimits(options);
  const policy = readHostPolicy(options);
  const { otherHosts = false, certificates = [] } = options;
  const proxy = readProxy(options.environment ?? {});
  const { headerBytes, requestBytes, answerLength } = limits;
  const rules = { policy, lookup, proxy, certificates, headerBytes, otherHosts, limits };
  const definition: ToolDefinition<typeof inputSchema> = {
    name: 'http_request',
    description: `Sends one request by HTTPS and gives status, headers and the text of the answer. A long text is cut in the middle; what is no text is described. Credentials cannot be sent.${otherHosts ? '' : ' A redirect to another host is told, not followed.'}`,
    input: inputSchema,
    risk: 'high',
    check(input) {
      makeHttpRequest(input, { policy, requestBytes, redact });
    },
    async run(input, { signal }): Promise<ToolOutcome> {
      try {
        const request = makeHttpRequest(input, { policy, requestBytes, redact });
        return describeAnswer(await sendRequest(request, rules, signal), { redact, answerLength });
      } catch (error) {
        if (SkillsError.is(error)) return failedOutcome(error, redact);
        throw error;
      }
    },
  };
  return defineTool(definition, { clock });
}

/** A failure, without the secrets that a server may have put into a redirect; and whether it was carried out all the same. */
function failedOutcome({ code, message, hint = '', data }: SkillsError, redact: (text: string) => string): ToolOutcome {
  const output = { success: false, ...(data['uncertain'] === true ? { uncertain: true } : {}) };
  const content = redact(`${message} ${hint}`.trim());
  return { ok: false, content, output, error: { code, message: redact(message) } };
}

async function resolveHost(hostname: string): Promise<readonly string[]> {
  const { lookup } = await import('node:dns/promises');
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function unchanged(text: string): string {
  return text;
}
