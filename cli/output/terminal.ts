import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** What goes before a line that stands where another stood. */
export const eraseLine = '\r\u001b[K';

/** One of the two streams that a command writes to. */
export interface Output {
  readonly isTerminal: boolean;
  /** How many columns there are; Infinity outside a terminal. */
  readonly width: number;
  readonly write: (text: string) => void;
  /** The text in a colour or style, where that makes sense. */
  readonly style: (style: Style, text: string) => string;
}

/** Results go to `out`, all else to `err`. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
  readonly warn: (text: string) => void;
}

interface Preferences {
  readonly noColour: boolean;
}

const openOutput = (stream: NodeJS.WriteStream, { noColour }: Preferences): Output => {
  const isTerminal = stream.isTTY === true;
  const isColoured = isTerminal && !noColour;
  return {
    isTerminal,
    width: isTerminal ? stream.columns || 80 : Number.POSITIVE_INFINITY,
    write: (text) => void stream.write(text),
    style: (style, text) =>
      isColoured && text !== '' ? styleText(style, text, { validateStream: false }) : text,
  };
};

/** Opens this process's standard output and error. */
export const openTerminal = (preferences: Preferences): Terminal => {
  const err = openOutput(process.stderr, preferences);
  return {
    out: openOutput(process.stdout, preferences),
    err,
    warn: (text) => err.write(`${err.style('yellow', 'warning:')} ${text}\n`),
  };
};

/** For whoever wants results alone, one that tells nothing else. Failures are told by whoever opened it. */
export const applyQuiet = (terminal: Terminal, quiet = false): Terminal => {
  if (!quiet) return terminal;
  const { out, err } = terminal;
  const silent = { ...err, isTerminal: false, write: () => undefined };
  return { out, err: silent, warn: () => undefined };
};
