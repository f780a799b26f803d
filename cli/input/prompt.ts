import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks questions in a terminal, a line for each answer. */
export interface Prompt {
  /**
   * Undefined once the person has gone: Ctrl-D or a closed terminal.
   * @throws {DOMException} an AbortError, once they pressed Ctrl-C
   */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Aborted by Ctrl-C, also while nothing is asked. */
  readonly interrupted: AbortSignal;
  readonly close: () => void;
}

/** Takes what readline would show of a secret. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

interface PromptOptions {
  /** Whether what is typed is not shown. */
  readonly isHidden?: boolean;
  /** Where questions are shown; standard output unless given. */
  readonly shown?: NodeJS.WriteStream;
}

/** Opens the terminal for questions. What is typed while none is asked is not taken for an answer. */
export const openPrompt = (options: PromptOptions = {}): Prompt => {
  const { isHidden = false, shown = process.stdout } = options;
  const output = isHidden ? nowhere() : shown;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const interruption = new AbortController();
  const gone = new AbortController();
  lines.on('SIGINT', () => {
    interruption.abort();
    lines.close();
  });
  lines.on('close', () => gone.abort());
  const ask = async (question: string): Promise<string | undefined> => {
    interruption.signal.throwIfAborted();
    if (gone.signal.aborted) return undefined;
    if (isHidden) shown.write(question);
    try {
      return (await lines.question(question, { signal: gone.signal })).trim();
    } catch (error) {
      interruption.signal.throwIfAborted();
      if (gone.signal.aborted) return undefined;
      throw error;
    } finally {
      if (isHidden) shown.write('\n');
    }
  };
  return { ask, interrupted: interruption.signal, close: () => lines.close() };
};
