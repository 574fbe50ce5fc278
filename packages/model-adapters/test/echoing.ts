import type { ReplyBeside } from '@skillpack/core/testing';
import { scripted, type ScriptedModel } from '@skillpack/model-adapters';

/** What a scripted model can be made to tell beside a text: all that the contract asks for. */
export const tells = ['reasoning', 'finish', 'usage'] as const satisfies readonly (keyof ReplyBeside)[];

/** A model that answers as the contract says. */
export function echoing(reply: (prompt: string) => string, beside: ReplyBeside): ScriptedModel {
  return scripted(
    (_, { system, messages }) => ({
      say: reply([system, ...messages.map(({ content }) => content)].join('\n')),
      ...beside,
    }),
    { name: 'mine:echo' },
  );
}
