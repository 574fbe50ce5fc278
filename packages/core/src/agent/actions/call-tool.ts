import { canonicalJson } from '../../json/canonical-json.js';
import type { JsonObject } from '../../json/json-value.js';
import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import { visibleLines } from '../../errors/visible-text.js';
import type { AgentAction } from '../../model/action.js';
import type { ToolOutput } from '../../tool/tool-result.js';
import { fittingLength } from '../context/fitting-length.js';
import { withoutPromptTags } from '../context/prompt-tags.js';
import { recordedError, type RedactingRecorder } from '../recorded-error.js';
import { redactOutput } from '../redact-event.js';
import type { ActionContext, Observation, RunScope } from '../run-scope.js';
import { judgedTool } from '../judge-use.js';
import { confinementOf } from '../recorded-setup.js';
import type { OfferedTool } from '../unlocked-tools.js';
import { offeredTools, unlockedTool } from './offered-tools.js';
import { permitUse, type WantedUse } from './permit-use.js';
import { failedObservation } from './failed-observation.js';
import { outputNames, resultNames } from './output-names.js';
import { plainResult, type PlainResult } from './plain-result.js';
import { shortenedText } from './shortened-text.js';

type CallTool = AgentAction & { readonly kind: 'call_tool' };

/** UTF-16 code units of what a model is shown, and of the output for programs as JSON. */
const contentLength = 16_000;
const outputLength = 64_000;

/** Calls a tool that is offered now; one that does more than read, once somebody said yes. */
export async function callTool(action: CallTool, context: ActionContext): Promise<Observation> {
  const { scope, id, patience } = context;
  const found = unlockedTool(scope, action.tool);
  if (found === undefined) {
    const names = offeredTools(scope).map(({ tool }) => quoted(tool.name, 64));
    throw new SkillsError('TOOL_NOT_FOUND', `The tool ${quoted(action.tool)} is not offered.`, {
      hint: names.length === 0 ? 'No tools are offered now.' : `Offered now: ${names.join(', ')}.`,
    });
  }
  const { tool, activation } = found;
  const allowed = await permitUse(await wantedUse({ tool, activation }, action, scope), context);
  if (!allowed.permitted) return allowed.observation;
  try {
    const result: unknown = await patience.waitFor(
      { who: `The tool ${quoted(tool.name, 64)}`, changes: tool.risk !== 'low' },
      async (signal) => tool.run(structuredClone(action.input), { signal, run: scope.id, id }),
    );
    return await observe(plainResult(result, tool.name), context);
  } catch (error) {
    scope.recorder.check();
    return failedObservation(error, scope.recorder);
  }
}

async function wantedUse({ tool, activation }: OfferedTool, { input }: CallTool, scope: RunScope): Promise<WantedUse> {
  const { name, risk, runsCode = false, confined = false, check } = tool;
  const use = { ...judgedTool(tool, activation, scope), input, runsCode, confined };
  const skill = activation && { name: activation.name, location: activation.location };
  const summary = `${name} ${canonicalJson(input)}`;
  // Who says yes to a command has not seen the next one.
  const covers = runsCode || name === 'run_command' ? ('input' as const) : undefined;
  const confinement = confined ? (confinementOf(scope.ports.runner) ?? 'a sandbox') : undefined;
  return {
    use,
    entry: activation && (await scope.library.view.getByPath(activation.location)),
    asked: { action: 'call_tool', tool: name, risk, skill, summary, input, confinement, covers },
    check: check && (() => check(structuredClone(input))),
  };
}

async function observe(result: PlainResult, { scope }: ActionContext): Promise<Observation> {
  const { redact } = scope.recorder;
  const length = fittingLength(scope.state().contextTokens, contentLength);
  const names = outputNames(result.outputs.map(({ name }) => redact(name)));
  const outputs: ToolOutput[] = result.outputs.map(({ bytes }, at) => ({ name: names[at] ?? '', bytes }));
  const shorten = (name: string, whole: string): string => {
    const text = withoutPromptTags(visibleLines(redact(whole)));
    const short = shortenedText(text, { length, keptAs: name });
    if (short.truncated) outputs.push({ name, bytes: new TextEncoder().encode(whole) });
    return short.text;
  };
  const content = shorten(resultNames.content, result.content);
  const contentForUser =
    result.contentForUser === undefined ? undefined : shorten(resultNames.contentForUser, result.contentForUser);
  const output = fittingOutput(redactOutput(result.output, redact) as JsonObject, outputs);
  const kept = [];
  for (const { name, bytes } of outputs) kept.push({ name, ...(await scope.recorder.keep(bytes)).kept });
  return { ok: result.ok, content, contentForUser, output, error: errorOf(result, scope.recorder), kept };
}

/** What programs read is kept whole, too, where it is too much for an event. */
function fittingOutput(output: JsonObject, outputs: ToolOutput[]): JsonObject {
  const text = canonicalJson(output);
  if (text.length <= outputLength) return output;
  outputs.push({ name: resultNames.output, bytes: new TextEncoder().encode(text) });
  return { truncated: true, characters: text.length };
}

function errorOf({ ok, error, content }: PlainResult, recorder: RedactingRecorder): Observation['error'] {
  if (ok) return undefined;
  if (error !== undefined) return { ...recordedError(error.message, recorder), code: error.code };
  return { code: 'INTERNAL', message: new SkillsError('INTERNAL', recorder.redact(content).slice(0, 500)).message };
}
