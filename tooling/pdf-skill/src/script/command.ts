import type { PageRange } from './page-selection.js';

interface Reading {
  readonly inputs: readonly [string];
  readonly password: string | undefined;
}

/** What the script was asked to do. */
export type Command =
  | (Reading & { readonly kind: 'text'; readonly pages: readonly PageRange[] | undefined; readonly layout: boolean })
  | (Reading & { readonly kind: 'info' })
  | (Reading & { readonly kind: 'pages'; readonly pages: readonly PageRange[] | undefined })
  | (Reading & {
      readonly kind: 'split';
      readonly directory: string;
      readonly pages: readonly PageRange[] | undefined;
      readonly every: number;
    })
  | (Reading & { readonly kind: 'extract'; readonly output: string; readonly pages: readonly PageRange[] })
  | (Reading & {
      readonly kind: 'rotate';
      readonly output: string;
      readonly pages: readonly PageRange[] | undefined;
      readonly degrees: number;
    })
  | {
      readonly kind: 'merge';
      readonly inputs: readonly string[];
      readonly output: string;
      readonly password: string | undefined;
    };

/** How the script should behave while it does it. */
export interface RunOptions {
  /** One JSON document on stdout instead of text. */
  readonly json: boolean;
  /** Files that are in the way are replaced. */
  readonly force: boolean;
  /** Seconds after which the work is given up. */
  readonly timeout: number;
}
