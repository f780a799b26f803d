import { setTimeout as delay } from 'node:timers/promises';
import { runInParallel } from '../../in-parallel.ts';
import type { FindingKind } from '../../schemas/audit.ts';
import type { AuditContext } from './findings.ts';

const parallelChecks = 8;

/** What follows by a stream is given so long to follow before it is judged. */
const settleMs = 500;

/** Something that may be wrong, and how to mend it. */
export interface Check {
  readonly kind: FindingKind;
  readonly example: string;
  readonly isRight: () => Promise<boolean>;
  /** Resolves to whether it mended anything. */
  readonly mend: () => Promise<boolean>;
}

const findDoubtful = async (checks: readonly Check[]): Promise<Check[]> => {
  const looks = await runInParallel(checks, parallelChecks, ({ isRight }) => isRight());
  return checks.filter((_, at) => !looks[at]);
};

/** Looks twice at what seems wrong, the second time after a pause, and mends what still is. */
export const judgeChecks = async (
  checks: readonly Check[],
  context: AuditContext,
): Promise<void> => {
  const doubtful = await findDoubtful(checks);
  if (doubtful.length === 0) return;
  await delay(settleMs);
  const { tally, repair } = context;
  for (const check of doubtful) {
    if (await check.isRight()) continue;
    tally.find(check.kind, check.example);
    if (repair && (await check.mend())) tally.repair(1);
  }
};
