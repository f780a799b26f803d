import type { Claim, ClaimAnswer, ClaimRequest } from '../../api/schemas/claim.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import { findClaim } from '../../domain/review/claim.ts';
import { updateAlone } from '../../storage/dynamodb/write-alone.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import { selectForWrite } from '../../storage/packages/find-versions.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { saveClaim } from '../../storage/reviews/review-state-writes.ts';
import { hourMs } from '../../util/duration.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** Maximum number of tries. A conflict is another claim or decision between the read and the write. */
const attempts = 5;

/**
 * Claims the review of a version for an hour, or ends the claim, so that two reviewers do not read the same evidence. The evidence
 * stays as it is, and no decision conflicts with the claim. The answer has the claim of somebody else that this one replaces.
 * @throws {ReviewStateMissingError} if the review state is missing or damaged
 */
export const claimReview = (
  selector: PackageSelector,
  { end }: ClaimRequest,
  { actor, now }: Pick<WriteContext<ClaimAnswer>, 'actor' | 'now'>,
): Promise<ClaimAnswer> =>
  // After a decision or a claim in between, the version is read again.
  retryOnConflict(
    async () => {
      const { ecosystem, name, version } = await selectForWrite(selector);
      const id = { ecosystem, name, version };
      const seen = await readReviewState(id);
      const until = new Date(now.getTime() + hourMs).toISOString();
      const claim: Claim | null = end === true ? null : { by: actor.label, until };
      await updateAlone(saveClaim(id, seen, claim));
      const before = findClaim(seen, now);
      return { ...id, claim, replaced: before?.by === actor.label ? null : before };
    },
    { attempts },
  );
