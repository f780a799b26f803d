import { InterruptedError } from './interrupted-error.ts';
import { openPrompt } from './prompt.ts';

/**
 * Asks a question at a terminal, and returns whether the answer is yes.
 * @throws {InterruptedError} after Ctrl-C
 */
export const askYes = async (question: string): Promise<boolean> => {
  const prompt = openPrompt({ shown: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.ask(question)) ?? '');
  } catch (error) {
    if (!prompt.interrupted.aborted) throw error;
    process.stderr.write('Nothing was changed.\n');
    throw new InterruptedError();
  } finally {
    prompt.close();
  }
};
