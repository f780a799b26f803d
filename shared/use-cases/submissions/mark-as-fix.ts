import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  type AutomaticSubmission,
  describeCause,
} from '../../domain/review/automatic-submission.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import { changeCause, findVersion } from '../../storage/packages/write-version.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { changeReviewCause } from '../../storage/reviews/review-state-writes.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { retryOnConflict } from '../review/retry-on-conflict.ts';

/**
 * Makes a pending version a security fix, if the registry submitted it for another cause: the vulnerability became known later.
 * Returns false if the version is not in the registry.
 */
export const markAsFix = (
  id: PackageId,
  fix: AutomaticSubmission,
  { deadline }: { readonly deadline: Deadline },
): Promise<boolean> =>
  retryOnConflict(async () => {
    const item = await findVersion(id);
    if (!item) return false;
    const { automatic, status, ecosystem, name, version } = item;
    const isOther = automatic?.fingerprint === null && automatic.cause !== 'security_fix';
    if (status !== 'pending' || !isOther) return true;
    const head = await readReviewState(item);
    const writes = [
      changeCause(item, { automatic: fix, justification: describeCause(fix) }),
      changeReviewCause(item, head, fix),
    ];
    await transact(writes, deadline);
    logEvent('info', 'version_is_fix', { ecosystem, name, version });
    return true;
  });
