import type { SimpleCommand } from './command-line.js';
import type { Effort } from './effort.js';
import type { Token } from './read-tokens.js';
import { UnreadableLine } from './unreadable-line.js';

/** What ends a list of commands in a group. */
type Closer = ')' | '}' | undefined;

/**
 * Puts the parts of a line together to commands, those in groups among them.
 *
 * @throws UnreadableLine for what is no list of simple commands and groups
 */
export function parseCommands(tokens: readonly Token[], effort: Effort): readonly SimpleCommand[] {
  const parser = new CommandParser(tokens, effort);
  return parser.parse();
}

class CommandParser {
  readonly #tokens: readonly Token[];
  readonly #effort: Effort;
  readonly #commands: SimpleCommand[] = [];
  #next = 0;

  constructor(tokens: readonly Token[], effort: Effort) {
    this.#tokens = tokens;
    this.#effort = effort;
  }

  parse(): readonly SimpleCommand[] {
    this.#skipLines();
    if (this.#token === undefined) return [];
    this.#readList(undefined);
    return this.#commands;
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #readList(closer: Closer): void {
    this.#skipLines();
    for (;;) {
      this.#readPipeline();
      const separator = this.#operator();
      if (separator === '&&' || separator === '||') {
        this.#next += 1;
        this.#skipLines();
        continue;
      }
      if (separator === ';' || separator === '&' || separator === '\n') {
        this.#next += 1;
        this.#skipLines();
      }
      if (this.#closes(closer)) return;
      if (separator === undefined || separator === '(' || separator === ')') {
        throw new UnreadableLine('Where a command should end, something else stands.');
      }
    }
  }

  #closes(closer: Closer): boolean {
    const token = this.#token;
    if (closer === undefined || token === undefined) return closer === undefined && token === undefined;
    return closer === ')' ? this.#operator() === ')' : token.kind === 'word' && token.raw === '}' && this.#isFirst();
  }

  /** Whether a command may begin here: `}` closes a group only there. */
  #isFirst(): boolean {
    return this.#tokens[this.#next - 1]?.kind === 'operator';
  }

  #readPipeline(): void {
    const token = this.#token;
    if (token?.kind === 'word' && token.raw === '!') this.#next += 1;
    this.#readCommand();
    while (this.#operator() === '|') {
      this.#next += 1;
      this.#skipLines();
      this.#readCommand();
    }
  }

  #readCommand(): void {
    const token = this.#token;
    if (token?.kind === 'operator' && token.operator === '(') {
      const after = this.#tokens[this.#next + 1];
      if (after?.kind === 'operator' && after.operator === '(' && after.at === token.at + 1) {
        throw new UnreadableLine('“((” is a sum in some shells, and a group in others.');
      }
      this.#readGroup(')');
    } else if (token?.kind === 'word' && token.raw === '{') {
      this.#readGroup('}');
    } else {
      this.#readSimple();
    }
  }

  #readGroup(closer: ')' | '}'): void {
    const first = this.#commands.length;
    this.#next += 1;
    this.#effort.within(() => this.#readList(closer));
    this.#next += 1;
    const redirects: { operator: string; target: string }[] = [];
    for (let token = this.#token; token?.kind === 'redirect'; token = this.#token) {
      redirects.push({ operator: token.operator, target: token.target.value });
      this.#next += 1;
    }
    if (redirects.length === 0) return;
    // Each command of the group reads and writes there.
    for (let index = first; index < this.#commands.length; index += 1) {
      const command = this.#commands[index];
      if (command === undefined) continue;
      this.#effort.spend(redirects.length);
      this.#commands[index] = { ...command, redirects: [...command.redirects, ...redirects] };
    }
  }

  #readSimple(): void {
    const words: string[] = [];
    const assignments: { name: string; value: string }[] = [];
    const redirects: { operator: string; target: string }[] = [];
    let detached = false;
    for (let token = this.#token; token !== undefined && token.kind !== 'operator'; token = this.#token) {
      this.#next += 1;
      if (token.kind === 'redirect') {
        if (token.operator.startsWith('&>')) {
          detached = true;
          if (words.length + assignments.length + redirects.length === 0) {
            throw new UnreadableLine('“&>” begins a command in some shells, and is an error in others.');
          }
        }
        redirects.push({ operator: token.operator, target: token.target.value });
        continue;
      }
      // To a shell that does not know `&>`, its `&` ends a command, and the next word begins another one.
      if (detached) throw new UnreadableLine('Shells differ in which command the words behind “&>” belong to.');
      const name = words.length === 0 ? /^[A-Za-z_]\w*(?==)/u.exec(token.raw)?.[0] : undefined;
      if (name === undefined) words.push(token.value);
      else assignments.push({ name, value: token.value.slice(name.length + 1) });
    }
    if (words.length + assignments.length + redirects.length === 0) {
      throw new UnreadableLine('Where a command should begin, something else stands.');
    }
    if (this.#operator() === '(') throw new UnreadableLine('It says what a name means: a function or a list.');
    this.#commands.push({ words, assignments, redirects });
  }

  #operator(): string | undefined {
    const token = this.#token;
    return token?.kind === 'operator' ? token.operator : undefined;
  }

  #skipLines(): void {
    while (this.#operator() === '\n') this.#next += 1;
  }
}
