import { styleText } from 'node:util';

/** Colours a piece of text, or leaves it as it is where colours are off. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** The style of a stream that shows colours, or of one that does not. */
export function createStyle(colour: boolean): Style {
  const paint =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      colour && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}
