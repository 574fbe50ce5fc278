import type { ModelAdapter } from '@skillpack/core';

/** Who is told what a model thinks. */
export interface ThoughtListener {
  /** Takes secrets out of a line. */
  readonly redact: (text: string) => string;
  /** Told of each line once it is whole. */
  readonly tell: (line: string) => void;
}

/** A model that tells what it thinks on the way, where its provider says that apart from the answer. */
export function tellThoughts(model: ModelAdapter, { redact, tell }: ThoughtListener): ModelAdapter {
  return {
    name: model.name,
    contextTokens: model.contextTokens,
    nativeTools: model.nativeTools,
    decide: async (request, options) => {
      let begun = '';
      const tellLine = (line: string): void => {
        if (line.trim() !== '') tell(redact(line));
      };
      const onReasoning = (delta: string): void => {
        options.onReasoning?.(delta);
        const lines = (begun + delta).split('\n');
        begun = lines.pop() ?? '';
        for (const line of lines) tellLine(line);
      };
      const tellRest = (): void => {
        tellLine(begun);
        begun = '';
      };
      const onText = (delta: string): void => {
        tellRest();
        options.onText?.(delta);
      };
      try {
        return await model.decide(request, { ...options, onReasoning, onText });
      } finally {
        tellRest();
      }
    },
  };
}
