import { anonymous } from '../domain/actor.ts';
import { expire } from '../domain/expiry.ts';
import { type PackageItem, toDetail } from '../store/packages/package-item.ts';
import { makeWitness, VersionChangedError } from '../store/packages/write-version.ts';
import { readHead } from '../store/reviews/heads.ts';
import { changeStatus, findNextMoment } from './change-status.ts';
import { transactChange } from './meanwhile.ts';
import type { ReviewContext } from './review-context.ts';

type ExpiryContext = Pick<ReviewContext, 'now' | 'deadline' | 'catalogue'>;

/**
 * Returns a version whose approval has run out to pending, at its old place.
 * @throws {VersionChangedError} where it was decided meanwhile, or has returned already
 * @throws {EvidenceMovedError | OrdinalTakenError} where it is to be read again, as before a decision
 */
export const expirePackage = async (
  current: PackageItem,
  context: ExpiryContext,
): Promise<void> => {
  const { now, catalogue } = context;
  const head = await readHead(current);
  const detail = expire(toDetail(current));
  const witness = makeWitness(current);
  const change = {
    current,
    head,
    detail,
    at: findNextMoment(head, now),
    // The approval's reason stays with what it was given for.
    facts: { type: 'package.expired', by: null, reason: null } as const,
    writeId: witness.writeId,
    explain: () => new VersionChangedError(current),
  };
  const writes = changeStatus(change, { actor: anonymous, catalogue });
  await transactChange(current, { writes, witness }, context);
};
