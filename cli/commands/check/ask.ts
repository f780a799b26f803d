import type { CheckRequest } from '../../../shared/api/schemas/check.ts';
import {
  type Finding,
  toFinding,
  type UsedVersion,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import {
  cutIntoQuestions,
  toQuestion,
} from '../../../shared/use-cases/dependency-check/questions.ts';
import { joinOrigins, type Origins } from '../../../shared/use-cases/dependency-check/sources.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import type { Session } from '../../session/session.ts';
import { readChecked, readOrigins } from './checked.ts';

const lanes = 4;

/** What the registry said of versions, in their order, and of where they come from. */
export interface Asked {
  readonly found: ReadonlyMap<UsedVersion, Finding>;
  readonly origins: Origins;
}

const isFound = (
  entry: readonly [UsedVersion, Finding | undefined],
): entry is readonly [UsedVersion, Finding] => entry[1] !== undefined;

/**
 * Asks the registry where each version stands, and tells how far it is where that takes time.
 * @throws {RequestError} if it cannot be asked, or what it answers is no answer to that
 */
export const askRegistry = async (
  used: readonly UsedVersion[],
  allow: CheckRequest['allow'],
  { client, progress }: Session,
): Promise<Asked> => {
  let answered = 0;
  progress.show(`0 of ${used.length} checked`);
  const ask = async (some: readonly UsedVersion[]) => {
    const packages = some.map(toQuestion);
    const answer: unknown = await client.checkPackages({ body: { packages, allow } });
    const checked = readChecked(answer, { packages, allow }).values();
    answered += some.length;
    if (answered < used.length) progress.show(`${answered} of ${used.length} checked`);
    const found = some.flatMap((one) => {
      const { value } = checked.next();
      return value ? [[one, toFinding(one, value)] as const] : [];
    });
    return { found, origins: readOrigins(answer) };
  };
  try {
    const answers = await runInParallel([...cutIntoQuestions(used)], lanes, ask);
    const found = new Map(answers.flatMap((one) => one.found));
    return {
      found: new Map(used.flatMap((one) => [[one, found.get(one)] as const]).filter(isFound)),
      origins: joinOrigins(answers.map(({ origins }) => origins)),
    };
  } finally {
    progress.end();
  }
};
