import type { Verdict } from './decide.ts';
import type { Prompt } from './prompt.ts';

/** What the letters of every question mean; a word may be typed out. None of them is ever taken for a reason. */
const meanings: Readonly<Record<string, string>> = {
  a: 'approve',
  r: 'reject',
  s: 'skip',
  q: 'quit',
  y: 'yes',
  n: 'no',
};

/** The word that an answer stands for; undefined if it is none of the choices. */
const readChoice = (answer: string): string | undefined => {
  const typed = answer.toLowerCase();
  const words = Object.values(meanings);
  return words.includes(typed) ? typed : meanings[typed];
};

/** Asks until the answer is one of the choices; `unsaid` is what nothing typed stands for. Whoever has gone quits. */
const askChoice = async <const C extends string>(
  prompt: Prompt,
  question: string,
  { choices, unsaid }: { readonly choices: readonly C[]; readonly unsaid?: C },
): Promise<C | 'quit'> => {
  for (;;) {
    const answer = await prompt.ask(question);
    const choice = answer === undefined ? 'quit' : readChoice(answer);
    const found = choice === 'quit' ? 'quit' : choices.find((candidate) => candidate === choice);
    if (found) return found;
    if (answer === '' && unsaid) return unsaid;
  }
};

/** Asks a question that nothing typed, as well as `n`, answers with no. */
export const askYesOrNo = (prompt: Prompt, question: string): Promise<'yes' | 'no' | 'quit'> =>
  askChoice(prompt, `${question} [y/N] `, { choices: ['yes', 'no'], unsaid: 'no' });

/** Why a reviewer wants to do that; undefined if they rather would not. The letters of the menu are no reasons. */
export const askReason = async (
  prompt: Prompt,
  what: 'approve' | 'reject',
): Promise<{ readonly reason: string } | 'quit' | undefined> => {
  for (;;) {
    const answer = await prompt.ask(`Why? (nothing: do not ${what}) `);
    if (answer === '') return undefined;
    if (answer === undefined) return 'quit';
    const choice = readChoice(answer);
    if (choice === 'quit') return 'quit';
    if (choice === undefined) return { reason: answer };
  }
};

/** What the reviewer wants; asks again until the answer means something, and a rejection has its reason. */
export const askVerdict = async (
  prompt: Prompt,
): Promise<Omit<Verdict, 'by'> | 'skipped' | 'quit'> => {
  for (;;) {
    const question = '\nApprove, reject, skip or quit? [a/r/s/q] ';
    const choice = await askChoice(prompt, question, { choices: ['approve', 'reject', 'skip'] });
    if (choice === 'quit') return 'quit';
    if (choice === 'skip') return 'skipped';
    if (choice === 'approve') return { to: 'approved', reason: undefined };
    const why = await askReason(prompt, 'reject');
    if (why === 'quit') return 'quit';
    if (why) return { to: 'rejected', reason: why.reason };
  }
};
