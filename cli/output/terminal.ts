import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Erases the current line, so that the next text replaces it. */
export const eraseLine = '\r\u001b[K';

/** An output stream of a command. */
export interface Output {
  readonly isTerminal: boolean;
  /** The columns of the terminal; Infinity outside a terminal. */
  readonly width: number;
  readonly write: (text: string) => void;
  /** Returns the text in a colour or style, if the stream shows colours. */
  readonly style: (style: Style, text: string) => string;
}

/** The output of a command: results go to `out`, everything else to `err`. */
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

/** Returns a terminal that writes results alone, for `--quiet`. The caller reports failures to the original. */
export const applyQuiet = (terminal: Terminal, quiet = false): Terminal => {
  if (!quiet) return terminal;
  const { out, err } = terminal;
  const silent = { ...err, isTerminal: false, write: () => undefined };
  return { out, err: silent, warn: () => undefined };
};
