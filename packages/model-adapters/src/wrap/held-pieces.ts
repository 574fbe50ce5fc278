import type { DecideOptions } from '@skillpack/core';

/** The pieces of one attempt at an answer. */
export interface HeldPieces {
  /** With what the attempt is made. */
  readonly options: DecideOptions;
  /** Whether a piece was told: what was told cannot be taken back. */
  readonly told: boolean;
  /** The attempt is the answer: what was held back is told. */
  release(): void;
  /** The attempt is over: whatever still comes of it is told nobody. */
  drop(): void;
}

/** Listens to an attempt. @param buffer whether its pieces are held back until they are released. */
export function holdPieces(options: DecideOptions, { buffer }: { readonly buffer: boolean }): HeldPieces {
  const held: (() => void)[] = [];
  let told = false;
  let listening = true;
  const listen = (tell: ((piece: string) => void) | undefined): ((piece: string) => void) | undefined => {
    if (tell === undefined) return undefined;
    return (piece) => {
      if (!listening) return;
      if (buffer) held.push(() => tell(piece));
      else {
        told = true;
        tell(piece);
      }
    };
  };
  return {
    options: { signal: options.signal, onText: listen(options.onText), onReasoning: listen(options.onReasoning) },
    get told() {
      return told;
    },
    release() {
      for (const tell of held) {
        // Whoever listens may give up on the way.
        if (options.signal.aborted) return;
        tell();
      }
    },
    drop() {
      listening = false;
    },
  };
}
