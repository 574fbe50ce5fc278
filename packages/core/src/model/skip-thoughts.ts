/** Leaves out what a model thinks aloud before its answer. */
export interface ThoughtFilter {
  /** What of the text so far can be passed on, and was not. */
  push(text: string): string;
}

// Models that think aloud write drafts there.
const opening = /^\s*<(think|thinking)>/u;
const thoughts = /^\s*<(think|thinking)>[\s\S]*?<\/\1>/u;
const maxHead = 1000;

/** An answer without the thoughts that it begins with; `undefined` where they do not end. */
export function withoutThoughts(answer: string): string | undefined {
  const rest = answer.replace(thoughts, '');
  return rest === answer && opening.test(answer) ? undefined : rest;
}

/** As {@link withoutThoughts}, of an answer that arrives in pieces. */
export function skipThoughts(): ThoughtFilter {
  let head: string | undefined = '';
  let ending: string | undefined;
  return {
    push(text) {
      if (head === undefined) return text;
      head += text;
      if (ending === undefined) {
        const name = opening.exec(head)?.[1];
        if (name === undefined) {
          if (mayOpen(head)) return '';
          const all = head;
          head = undefined;
          return all;
        }
        ending = `</${name}>`;
      }
      const end = head.indexOf(ending);
      // What may be the beginning of the end is all that is needed of them.
      if (end === -1) {
        head = head.slice(1 - ending.length);
        return '';
      }
      const rest = head.slice(end + ending.length);
      head = undefined;
      return rest;
    },
  };
}

/** Whether what comes may make it the beginning of thoughts. */
function mayOpen(head: string): boolean {
  const start = head.trimStart();
  return head.length <= maxHead && ['<think>', '<thinking>'].some((tag) => tag.startsWith(start));
}
