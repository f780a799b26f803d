import type { ClaimAnswer, ClaimRequest } from '../../api/schemas/claim.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import { updateAlone } from '../../storage/dynamodb/write-alone.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import { selectForWrite } from '../../storage/packages/find-versions.ts';
import { saveClaim } from '../../storage/reviews/review-state-writes.ts';
import { hourMs } from '../../util/duration.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Claims the review of a version for an hour, or ends the claim, so that two reviewers do not read the same evidence. The evidence
 * stays as it is, and no decision conflicts with the claim.
 */
export const claimReview = (
  selector: PackageSelector,
  { end }: ClaimRequest,
  { actor, now }: Pick<WriteContext<ClaimAnswer>, 'actor' | 'now'>,
): Promise<ClaimAnswer> =>
  // After a decision in between, the version is read again.
  retryOnConflict(async () => {
    const { ecosystem, name, version, status } = await selectForWrite(selector);
    const id = { ecosystem, name, version };
    const until = new Date(now.getTime() + hourMs).toISOString();
    const claim = end === true ? null : { by: actor.label, until };
    await updateAlone(saveClaim(id, status, claim));
    return { ...id, claim };
  });
