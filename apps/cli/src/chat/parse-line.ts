/** The commands of a chat, in the order of the help. */
export const chatCommands = {
  skills: { usage: '/skills [words]', meaning: 'list the skills, or those that have to do with the words' },
  skill: { usage: '/skill <name> [words]', meaning: 'as /<name>, also for a skill that is called like a command' },
  plan: { usage: '/plan', meaning: 'show what the agent means to do' },
  disable: { usage: '/disable <name>', meaning: 'leave a skill out of this chat' },
  enable: { usage: '/enable <name>', meaning: 'let it in again' },
  help: { usage: '/help', meaning: 'show these lines' },
  quit: { usage: '/quit', meaning: 'leave; so does the end of the input (Ctrl-D)' },
} as const satisfies Readonly<Record<string, { readonly usage: string; readonly meaning: string }>>;

/** The name of a command of a chat. */
export type ChatCommandName = keyof typeof chatCommands;

/** What a person means by a line. */
export type ChatLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'request'; readonly text: string }
  /** A skill that is named, and what it is to be used for; `called` where it can be no command, behind `/skill`. */
  | { readonly kind: 'skill'; readonly name: string; readonly words: string; readonly called: boolean }
  | { readonly kind: 'command'; readonly name: ChatCommandName; readonly words: string };

/**
 * Reads what a person typed. A line that begins with `/` is a command or the name of a skill; of one that begins with
 * `//`, the first slash is taken away, and the rest is a request.
 * Whether there is such a skill is for others to say. Never throws.
 */
export function parseLine(line: string): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('/')) return { kind: 'request', text };
  if (text.startsWith('//')) return { kind: 'request', text: text.slice(1) };
  const { name, words } = splitName(text.slice(1));
  if (name === 'skill') {
    const named = splitName(words);
    return named.name === '' ? { kind: 'command', name, words } : { kind: 'skill', ...named, called: true };
  }
  return isCommand(name) ? { kind: 'command', name, words } : { kind: 'skill', name, words, called: false };
}

function splitName(text: string): { readonly name: string; readonly words: string } {
  const end = text.search(/\s/u);
  if (end === -1) return { name: text, words: '' };
  return { name: text.slice(0, end), words: text.slice(end).trim() };
}

/** Whether a word behind a slash is a command. */
export function isCommand(name: string): name is ChatCommandName {
  return Object.hasOwn(chatCommands, name);
}
