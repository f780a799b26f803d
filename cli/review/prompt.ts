import { createInterface } from 'node:readline/promises';

/** Asks questions in a terminal, a line for each answer. */
export interface Prompt {
  /** Undefined once the person has gone: Ctrl-C, Ctrl-D or a closed terminal. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
}

/** Opens the terminal for questions. What is typed while none is asked is not taken for an answer. */
export const openPrompt = (): Prompt => {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new AbortController();
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => gone.abort());
  const ask = async (question: string): Promise<string | undefined> => {
    if (gone.signal.aborted) return undefined;
    try {
      return (await lines.question(question, { signal: gone.signal })).trim();
    } catch (error) {
      if (gone.signal.aborted) return undefined;
      throw error;
    }
  };
  return { ask, close: () => lines.close() };
};
