import { agentOptions, limitOptions, recordOption, scopeOption, skillOption } from '../agent/agent-options.js';
import { holdChat } from '../chat/hold-chat.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const chat = defineCommand({
  description:
    'Holds a conversation with an agent: each line is a request, and all of them are one run with one record. ' +
    '/skill-name words loads a skill without asking the model; /help lists what else begins with a slash. On a terminal ' +
    'the line can be edited; on a pipe, answers go to stdout and everything else to stderr. ' +
    'Exit code 1 when a line of a pipe could not be done, or not to its end, or when the agent asks something at the end.',
  arguments: {},
  options: { ...agentOptions, ...recordOption, ...scopeOption, ...skillOption, ...limitOptions },
  examples: [
    ['skills chat --model scripted', 'at the terminal; Ctrl-D leaves'],
    ["skills chat --model 'openai-compatible:http://localhost:11434/v1#qwen3'", 'with a model on this machine'],
    ['echo "/pdf What is in report.pdf?" | skills chat --approve run_script', 'one line, one answer'],
  ],
  async run(flags, app) {
    const { summary, plain, refused } = await holdChat(flags, app);
    const asks = summary.requests.at(-1)?.answer?.stop === 'question';
    const unfinished = asks || summary.requests.some((request) => request.answer?.degraded !== false);
    return answer(summary, () => '', { no: plain && (unfinished || refused > 0), keepLines: ['text'] });
  },
});
