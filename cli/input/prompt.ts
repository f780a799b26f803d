import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks questions in a terminal; each answer is one line. */
export interface Prompt {
  /**
   * Resolves to the answer; undefined after Ctrl-D or in a closed terminal.
   * @throws {DOMException} an AbortError after Ctrl-C
   */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Aborted by Ctrl-C, also between questions. */
  readonly interrupted: AbortSignal;
  readonly close: () => void;
}

/** Swallows the echo of a secret. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

interface PromptOptions {
  /** Whether the answer is a secret that the terminal does not show. */
  readonly isHidden?: boolean;
  /** The stream of the questions; standard output unless given. */
  readonly shown?: NodeJS.WriteStream;
}

/** Opens the terminal for questions. Text typed between questions is no answer. */
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
