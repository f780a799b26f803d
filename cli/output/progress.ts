import { eraseLine, type Output } from './terminal.ts';

/** The progress of a command, for people at a terminal or in a log. */
export interface Progress {
  /** Shows the progress: `100 of 755 submitted`. The first text waits for a second: most commands end before. */
  readonly show: (text: string) => void;
  /** Removes the text from a terminal until the next `show`. */
  readonly end: () => void;
  readonly isShown: () => boolean;
}

/** The interval in which a terminal shows the elapsed time. */
const intervalMs = 1000;
/** A log keeps every line, so that it gets fewer. */
const secondsPerLine = 5;

/** Returns a progress line, updated each second at a terminal. A log gets a new line every five seconds. */
export const createProgress = (err: Output): Progress => {
  let [text, seconds, isWritten] = ['', 0, false];
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    isWritten = true;
    err.write(`${eraseLine}${text}${seconds > 0 ? `, ${seconds} s` : ''}`);
  };
  const tick = (): void => {
    seconds += 1;
    if (err.isTerminal) write();
    else if (seconds % secondsPerLine === 0) err.write(`${text}, ${seconds} s\n`);
  };
  return {
    show: (next) => {
      const isFirst = text === '';
      text = next;
      if (isFirst) timer = setInterval(tick, intervalMs);
      else if (err.isTerminal) write();
    },
    end: () => {
      clearInterval(timer);
      if (isWritten) err.write(eraseLine);
      [text, seconds, isWritten] = ['', 0, false];
    },
    isShown: () => text !== '',
  };
};

/** No progress, for programs that read the output. */
export const noProgress: Progress = { show: () => {}, end: () => {}, isShown: () => false };
