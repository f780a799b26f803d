import { runInParallel } from '../../shared/in-parallel.ts';
import { type CheckAnswer, maxChecked } from '../../shared/schemas/check.ts';
import { matchAnswers } from '../failure/match-answers.ts';
import { eraseLine } from '../output/terminal.ts';
import type { Session } from '../session/session.ts';
import { type Finding, toFinding, type UsedVersion } from './findings.ts';

const lanes = 4;

/** Whoever waits longer than this is told how far it is. */
const noticedMs = 1000;

type Allowable = 'pending' | 'unknown';

const cut = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );

/** Asks the registry where each version stands, and tells how far it is where that takes time. */
export const askRegistry = async (
  used: readonly UsedVersion[],
  allow: readonly Allowable[],
  { client, terminal: { err } }: Session,
): Promise<readonly Finding[]> => {
  const begun = Date.now();
  let answered = 0;
  let isTold = false;
  const ask = async (some: readonly UsedVersion[]): Promise<readonly Finding[]> => {
    const packages = some.map(({ dependency: { ecosystem, name, version } }) => ({
      ...{ ecosystem, name, version },
    }));
    const answer: CheckAnswer = await client.checkPackages({
      body: { packages, allow: [...allow] },
    });
    const checked = matchAnswers(some, answer.packages);
    answered += some.length;
    if (err.isTerminal && Date.now() - begun > noticedMs) {
      isTold = true;
      err.write(`${eraseLine}${answered} of ${used.length} checked`);
    }
    return checked.map(([one, found]) => toFinding(one, found));
  };
  try {
    return (await runInParallel(cut(used, maxChecked), lanes, ask)).flat();
  } finally {
    if (isTold) err.write(eraseLine);
  }
};
