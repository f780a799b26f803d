import { toPrintable } from '../../output/text.ts';
import type { ReviewSession } from './review-session.ts';
import type { Verdict } from './send-decision.ts';

/** The choices, by first letter or whole word. Neither is a reason. */
const meanings = {
  approve: 'approve it',
  reject: 'reject it, with a reason',
  skip: 'leave it pending',
  next: 'the next version',
  back: 'the version before',
  yes: 'yes, with a reason',
  no: 'no, also without an answer',
  quit: 'end the review, as Ctrl-C does',
} as const;

type Choice = keyof typeof meanings;

const isChosenBy =
  (answer: string) =>
  (choice: string): boolean =>
    [choice, choice.charAt(0)].includes(answer.toLowerCase());

const isAnyChoice = (answer: string): boolean => Object.keys(meanings).some(isChosenBy(answer));

const explain = (choices: readonly Choice[]): string =>
  choices.map((choice) => `  ${choice.charAt(0)}  ${meanings[choice]}\n`).join('');

/** Formats the menu: `Approve, reject or quit? [a/r/q/?] `. */
const formatMenu = (choices: readonly Choice[]): string => {
  const words = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}?`;
  const letters = [...choices.map((choice) => choice.charAt(0)), '?'].join('/');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} [${letters}] `;
};

/** Asks until the answer is one of the choices. A closed terminal quits. `byDefault` is the choice of an empty answer. */
const askChoice = async <const C extends Choice>(
  { prompt, session }: ReviewSession,
  question: string,
  { choices, byDefault }: { readonly choices: readonly C[]; readonly byDefault?: C },
): Promise<C | 'quit'> => {
  for (;;) {
    const answer = await prompt.ask(question);
    if (answer === undefined || isChosenBy(answer)('quit')) return 'quit';
    const found = choices.find(isChosenBy(answer));
    if (found) return found;
    if (answer === '' && byDefault) return byDefault;
    if (answer === '?')
      session.terminal.out.write(explain([...new Set([...choices, 'quit'] as const)]));
  }
};

/** Asks a question; an empty answer means no. */
export const askYesOrNo = (
  review: ReviewSession,
  question: string,
): Promise<'yes' | 'no' | 'quit'> =>
  askChoice(review, `${question} [y/N/?] `, { choices: ['yes', 'no'], byDefault: 'no' });

/** Asks for the next step after a version that needs no decision. */
export const askWhereTo = (
  review: ReviewSession,
  isFirst: boolean,
): Promise<'next' | 'back' | 'quit'> => {
  const choices = ['next', ...(isFirst ? [] : (['back'] as const)), 'quit'] as const;
  return askChoice(review, `\n${formatMenu(choices)}`, { choices, byDefault: 'next' });
};

/** Asks for a reason; undefined if the reviewer gives none. The letters of the menus are no reasons. */
export const askReason = async (
  { prompt, session }: ReviewSession,
  what: 'approve' | 'reject',
): Promise<{ readonly reason: string } | 'quit' | undefined> => {
  for (;;) {
    const answer = await prompt.ask(`Why? (empty: do not ${what}) `);
    if (answer === '') return undefined;
    if (answer === undefined || isChosenBy(answer)('quit')) return 'quit';
    if (answer !== '?' && !isAnyChoice(answer)) return { reason: answer };
    const help = `  "${toPrintable(answer)}" is no reason: type it on one line. Empty: do not ${what}; q: end the review.\n`;
    session.terminal.out.write(help);
  }
};

/** Asks for the decision on a version; repeats the question until the answer is valid, and a rejection has a reason. */
export const askVerdict = async (
  review: ReviewSession,
  isFirst: boolean,
): Promise<Omit<Verdict, 'by'> | 'skipped' | 'back' | 'quit'> => {
  const back = isFirst ? [] : (['back'] as const);
  const choices = ['approve', 'reject', 'skip', ...back, 'quit'] as const;
  for (;;) {
    const choice = await askChoice(review, `\n${formatMenu(choices)}`, { choices });
    if (choice === 'quit' || choice === 'back') return choice;
    if (choice === 'skip') return 'skipped';
    if (choice === 'approve') return { to: 'approved', reason: undefined };
    const why = await askReason(review, 'reject');
    if (why === 'quit') return 'quit';
    if (why) return { to: 'rejected', reason: why.reason };
  }
};
