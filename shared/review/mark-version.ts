import type { PackageId } from '../domain/package-id.ts';
import { type Acceptance, isSameAcceptance } from '../domain/scans/acceptance.ts';
import { deleteMark, putMark, type ReviewFile } from '../store/reviews/review-file.ts';
import {
  type AcceptanceName,
  checkLive,
  forgetMarked,
  noteMarked,
} from '../store/vulnerabilities/acceptances.ts';
import type { Write } from '../store/write.ts';
import { changeEvidence, type EvidenceChange, type EvidenceContext } from './change-evidence.ts';

/** A version with the marks of some acceptances more. */
export const addMarks = (
  id: PackageId,
  { head, findings, acceptances }: ReviewFile,
  added: readonly Acceptance[],
): EvidenceChange => ({
  after: { slots: head.slots, findings, acceptances: [...acceptances, ...added] },
  writes: added.flatMap((acceptance) => [putMark(id, acceptance), noteMarked(acceptance, id)]),
});

/** A version without the mark of an acceptance. */
export const dropMark = (
  id: PackageId,
  { head, findings, acceptances }: ReviewFile,
  dropped: AcceptanceName,
): EvidenceChange => {
  const marks = acceptances.filter((one) => isSameAcceptance(one, dropped));
  return {
    after: {
      slots: head.slots,
      findings,
      acceptances: acceptances.filter((one) => !isSameAcceptance(one, dropped)),
    },
    writes: [...marks.map((mark) => deleteMark(id, mark)), forgetMarked(dropped, id)],
  };
};

/** As many as fit into one transaction with all that follows: each comes with two writes and a check. */
const marksATime = 25;

/**
 * Has acceptances hold for a version, those that do not yet.
 * @throws {AcceptanceOverError} where one has ended meanwhile
 */
export const markVersion = async (
  id: PackageId,
  wanted: readonly Acceptance[],
  context: EvidenceContext,
): Promise<void> => {
  let isWhole = false;
  while (!isWhole) {
    await changeEvidence(
      id,
      (file) => {
        const missing = wanted.filter(
          (one) => !file.acceptances.some((known) => isSameAcceptance(known, one)),
        );
        isWhole = missing.length <= marksATime;
        if (missing.length === 0) return undefined;
        const added = missing.slice(0, marksATime);
        const { after, writes } = addMarks(id, file, added);
        const checks: Write[] = added.map(checkLive);
        return { after, writes: [...writes, ...checks] };
      },
      context,
    );
  }
};

/** Has an acceptance that ended hold for a version no more. */
export const unmarkVersion = (
  id: PackageId,
  acceptance: AcceptanceName,
  context: EvidenceContext,
): Promise<void> => changeEvidence(id, (file) => dropMark(id, file, acceptance), context);
