/** What a provider's model says, apart from how its protocol writes it. */
export interface Said {
  readonly parts: readonly SaidPart[];
  /** The reason why it ends, as the protocol writes it. @default what fits the parts */
  readonly finish?: string | null | undefined;
  /** As the protocol writes it. @default ten tokens in, five out */
  readonly usage?: unknown;
  /** Characters of a piece of a stream. @default 7 */
  readonly pieceLength?: number | undefined;
}

export type SaidPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'refusal'; readonly text: string }
  /** A call of a tool; what it is called with may be any text. */
  | { readonly kind: 'call'; readonly name: string; readonly input: string };

export function piecesOf(text: string, { pieceLength = 7 }: Said): readonly string[] {
  const points = [...text];
  const count = Math.ceil(points.length / pieceLength);
  return Array.from({ length: count }, (_, at) => points.slice(at * pieceLength, (at + 1) * pieceLength).join(''));
}
