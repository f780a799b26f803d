import type { CheckRequest } from '../../../shared/api/schemas/check-request.ts';
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

const parallelRequests = 4;

/** The findings on versions, in their order, and the hosts of origins. */
export interface RegistryAnswer {
  readonly found: ReadonlyMap<UsedVersion, Finding>;
  readonly origins: Origins;
}

const isFound = (
  entry: readonly [UsedVersion, Finding | undefined],
): entry is readonly [UsedVersion, Finding] => entry[1] !== undefined;

/**
 * Checks the status of each version in the registry, and shows the progress.
 * @throws {RequestError} if the registry cannot be reached, or its answer does not fit the request
 */
export const checkVersions = async (
  used: readonly UsedVersion[],
  allow: CheckRequest['allow'],
  { client, progress }: Session,
): Promise<RegistryAnswer> => {
  let answered = 0;
  progress.show(`0 of ${used.length} checked`);
  const checkSome = async (some: readonly UsedVersion[]) => {
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
    const answers = await runInParallel([...cutIntoQuestions(used)], parallelRequests, checkSome);
    const found = new Map(answers.flatMap((one) => one.found));
    return {
      found: new Map(used.flatMap((one) => [[one, found.get(one)] as const]).filter(isFound)),
      origins: joinOrigins(answers.map(({ origins }) => origins)),
    };
  } finally {
    progress.end();
  }
};
