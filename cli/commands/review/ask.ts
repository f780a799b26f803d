import { toPrintable } from '../../output/text.ts';
import type { Verdict } from './decide.ts';
import type { Desk } from './desk.ts';

/** All that can be chosen, by its first letter or the whole word. Neither is ever taken for a reason. */
const meanings = {
  approve: 'approve it',
  reject: 'reject it; the reason is asked for',
  skip: 'leave it pending, and go on',
  next: 'go on',
  back: 'go back to the one before',
  yes: 'yes; the reason is asked for',
  no: 'no, as nothing typed says',
  quit: 'end the review, as Ctrl-C does',
} as const;

type Choice = keyof typeof meanings;

const isMeantBy =
  (answer: string) =>
  (choice: string): boolean =>
    [choice, choice.charAt(0)].includes(answer.toLowerCase());

const isAnyChoice = (answer: string): boolean => Object.keys(meanings).some(isMeantBy(answer));

const explain = (choices: readonly Choice[]): string =>
  choices.map((choice) => `  ${choice.charAt(0)}  ${meanings[choice]}\n`).join('');

/** `Approve, reject or quit? [a/r/q/?] ` */
const formatMenu = (choices: readonly Choice[]): string => {
  const words = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}?`;
  const letters = [...choices.map((choice) => choice.charAt(0)), '?'].join('/');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} [${letters}] `;
};

/** Asks until the answer is one of the choices; `unsaid` is what nothing typed stands for. Whoever has gone quits. */
const askChoice = async <const C extends Choice>(
  { prompt, session }: Desk,
  question: string,
  { choices, unsaid }: { readonly choices: readonly C[]; readonly unsaid?: C },
): Promise<C | 'quit'> => {
  for (;;) {
    const answer = await prompt.ask(question);
    if (answer === undefined || isMeantBy(answer)('quit')) return 'quit';
    const found = choices.find(isMeantBy(answer));
    if (found) return found;
    if (answer === '' && unsaid) return unsaid;
    if (answer === '?')
      session.terminal.out.write(explain([...new Set([...choices, 'quit'] as const)]));
  }
};

/** Asks a question that nothing typed, as well as `n`, answers with no. */
export const askYesOrNo = (desk: Desk, question: string): Promise<'yes' | 'no' | 'quit'> =>
  askChoice(desk, `${question} [y/N/?] `, { choices: ['yes', 'no'], unsaid: 'no' });

/** Asks where to go from a version that nothing can be done about. */
export const askWhereTo = (desk: Desk, isFirst: boolean): Promise<'next' | 'back' | 'quit'> => {
  const choices = ['next', ...(isFirst ? [] : (['back'] as const)), 'quit'] as const;
  return askChoice(desk, `\n${formatMenu(choices)}`, { choices, unsaid: 'next' });
};

/** Why a reviewer wants to do that; undefined if they rather would not. The letters of the menus are no reasons. */
export const askReason = async (
  { prompt, session }: Desk,
  what: 'approve' | 'reject',
): Promise<{ readonly reason: string } | 'quit' | undefined> => {
  for (;;) {
    const answer = await prompt.ask(`Why? (nothing: do not ${what}) `);
    if (answer === '') return undefined;
    if (answer === undefined || isMeantBy(answer)('quit')) return 'quit';
    if (answer !== '?' && !isAnyChoice(answer)) return { reason: answer };
    const help = `  Type the reason on one line: "${toPrintable(answer)}" is none. Nothing: do not ${what}; q: end the review.\n`;
    session.terminal.out.write(help);
  }
};

/** What the reviewer wants; asks again until the answer means something, and a rejection has its reason. */
export const askVerdict = async (
  desk: Desk,
  isFirst: boolean,
): Promise<Omit<Verdict, 'by'> | 'skipped' | 'back' | 'quit'> => {
  const back = isFirst ? [] : (['back'] as const);
  const choices = ['approve', 'reject', 'skip', ...back, 'quit'] as const;
  for (;;) {
    const choice = await askChoice(desk, `\n${formatMenu(choices)}`, { choices });
    if (choice === 'quit' || choice === 'back') return choice;
    if (choice === 'skip') return 'skipped';
    if (choice === 'approve') return { to: 'approved', reason: undefined };
    const why = await askReason(desk, 'reject');
    if (why === 'quit') return 'quit';
    if (why) return { to: 'rejected', reason: why.reason };
  }
};
