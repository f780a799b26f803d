import type { PackageDetail } from '../schemas/package.ts';
import { moveInCatalogue } from '../store/catalogue/writes.ts';
import { addRecord, type RecordFacts } from '../store/decisions/records.ts';
import { parseOrdinal } from '../store/packages/keys.ts';
import type { PackageItem } from '../store/packages/package-item.ts';
import { updateStatus } from '../store/packages/write-version.ts';
import { moveExpiry } from '../store/reviews/due.ts';
import { type Head, moveHead } from '../store/reviews/heads.ts';
import type { Write } from '../store/write.ts';
import type { ReviewContext } from './review-context.ts';

/** A version that goes from where it stands to somewhere else. */
interface StatusChange {
  readonly current: PackageItem;
  readonly head: Head;
  readonly detail: PackageDetail;
  /** When, ISO 8601: later than all that happened to the version before. */
  readonly at: string;
  /** What the record says besides where the version stood and stands. */
  readonly facts: Omit<RecordFacts, 'from' | 'to'>;
  readonly writeId: string;
  /** The error where somebody else decided first; told what is stored then. */
  readonly explain: (stored: PackageItem | undefined) => Error;
}

/** A moment after all that happened to a version before, also where the clocks of two functions disagree. */
export const findNextMoment = ({ at }: Head, now: Date): string =>
  new Date(Math.max(now.getTime(), Date.parse(at) + 1)).toISOString();

/** Writes a change of status wherever it shows: all of it, or nothing. */
export const changeStatus = (
  { current, head, detail, at, facts, writeId, explain }: StatusChange,
  { actor, catalogue }: Pick<ReviewContext, 'actor' | 'catalogue'>,
): Write[] => {
  const revision = current.revision + 1;
  const ordinal = parseOrdinal(current.ordinal);
  return [
    updateStatus(current, { detail, writeId }, explain),
    addRecord(detail, { ...facts, from: current.status, to: detail.status }, { actor, at }),
    moveHead(head, { detail, revision, at }),
    ...moveExpiry(current, detail, revision),
    ...(current.status === detail.status
      ? []
      : moveInCatalogue({ before: current, after: detail }, ordinal, catalogue)),
  ];
};
