import { setTimeout as delay } from 'node:timers/promises';
import { runInParallel } from '../../in-parallel.ts';
import { logEvent } from '../../log.ts';
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

/** What cannot be read is not judged; that costs nothing else its turn. */
const look = async (
  { kind, example, isRight }: Check,
  { tally }: AuditContext,
): Promise<boolean> => {
  try {
    return await isRight();
  } catch (error) {
    logEvent('error', 'audit_check_failed', { kind, example, error });
    tally.leaveUnjudged();
    return true;
  }
};

const findDoubtful = async (checks: readonly Check[], context: AuditContext): Promise<Check[]> => {
  const looks = await runInParallel(checks, parallelChecks, (check) => look(check, context));
  return checks.filter((_, at) => !looks[at]);
};

/** Looks twice at what seems wrong, the second time after a pause, and mends what still is. */
export const judgeChecks = async (
  checks: readonly Check[],
  context: AuditContext,
): Promise<void> => {
  const doubtful = await findDoubtful(checks, context);
  if (doubtful.length === 0) return;
  await delay(settleMs);
  const { tally, repair } = context;
  for (const check of doubtful) {
    if (await look(check, context)) continue;
    tally.find(check.kind, check.example);
    if (repair && (await check.mend())) tally.repair(1);
  }
};
