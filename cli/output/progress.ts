import { eraseLine, type Output } from './terminal.ts';

/** How far a command is, for people who watch it. */
export interface Progress {
  /** Says how far it is: `100 of 755 submitted`. The first text waits for a second, as most commands are done by then. */
  readonly show: (text: string) => void;
  /** Removes the text from a terminal. Nothing is shown until the next `show`. */
  readonly end: () => void;
  readonly isShown: () => boolean;
}

/** How often a terminal shows how long it has taken so far. */
const intervalMs = 1000;
/** A log keeps every line, and gets one in so many seconds. */
const secondsPerLine = 5;

/** Returns what shows progress on one line of a terminal, each second anew; elsewhere on a new line every five seconds. */
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

/** For programs, which read everything as a result or an error. */
export const noProgress: Progress = { show: () => {}, end: () => {}, isShown: () => false };
