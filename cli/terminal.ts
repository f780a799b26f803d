import { styleText } from 'node:util';
import type { Environment } from './environment.ts';

type Format = Parameters<typeof styleText>[0];

/** What goes before a line that stands where another stood. */
export const eraseLine = '\r\u001b[K';

/** One of the two streams that a command writes to. */
export interface Output {
  readonly isTerminal: boolean;
  /** How many columns there are; Infinity outside a terminal. */
  readonly width: number;
  readonly write: (text: string) => void;
  /** The text in a colour or style, where that makes sense. */
  readonly style: (format: Format, text: string) => string;
}

/** Results go to `out`, all else to `err`. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
  readonly warn: (text: string) => void;
}

const output = (stream: NodeJS.WriteStream, { noColour }: Environment): Output => {
  const isTerminal = stream.isTTY === true;
  const isColoured = isTerminal && !noColour;
  return {
    isTerminal,
    width: isTerminal ? stream.columns || 80 : Number.POSITIVE_INFINITY,
    write: (text) => void stream.write(text),
    style: (format, text) =>
      isColoured && text !== '' ? styleText(format, text, { validateStream: false }) : text,
  };
};

/** This process's standard output and error. */
export const openTerminal = (environment: Environment): Terminal => {
  const err = output(process.stderr, environment);
  return {
    out: output(process.stdout, environment),
    err,
    warn: (text) => err.write(`${err.style('yellow', 'warning:')} ${text}\n`),
  };
};
