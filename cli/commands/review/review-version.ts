import { RequestError } from '../../../shared/api/client/client.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { toOneLine } from '../../output/text.ts';
import { formatEvidence } from '../../presentation/version-evidence.ts';
import { decideVersion } from './decide-version.ts';
import { askWhereTo } from './questions.ts';
import { type Move, type ReviewSession, type Step, untilInterrupted } from './review-session.ts';
import { selectVersion } from './version-selection.ts';

/** A version of the queue, and its outcome if the reviewer comes back to it. */
interface QueuedVersion {
  readonly item: PackageListItem;
  readonly before: Step | undefined;
  /** The position in the queue, from 1. */
  readonly position: number;
  readonly total: number;
}

/** Returns whether a fault would also stop the next version: no answer, or none of the registry. */
const stopsReview = ({ problem, status }: RequestError): boolean =>
  problem === null || [401, 403].includes(status ?? 0);

/** Reads the evidence of a version. If the registry refuses it, the review continues without this version. */
const readEvidence = async (
  review: ReviewSession,
  item: PackageListItem,
): Promise<VersionEvidence | undefined> => {
  const { client, terminal } = review.session;
  try {
    return await client.showEvidence(selectVersion(item), untilInterrupted(review));
  } catch (error) {
    if (!(error instanceof RequestError) || stopsReview(error)) throw error;
    const { out } = terminal;
    const why = toOneLine(`${formatPackage(item)} cannot be shown: ${error.detail}`);
    out.write(`\n${out.style('red', why)}\n`);
    return undefined;
  }
};

/** Asks for the next step after a version that was decided before. */
const goOn = async (review: ReviewSession, before: Step, isFirst: boolean): Promise<Move> => {
  const choice = await askWhereTo(review, isFirst);
  return choice === 'next' ? before : choice;
};

/** Shows a version, and asks for a decision if it is pending. Repeats this if its evidence has changed. */
export const reviewVersion = async (
  review: ReviewSession,
  queued: QueuedVersion,
): Promise<Move> => {
  const { item, before, position, total } = queued;
  const { out } = review.session.terminal;
  const isFirst = position === 1;
  const evidence = await readEvidence(review, item);
  if (!evidence) return before ? goOn(review, before, isFirst) : 'skipped';
  const { status } = evidence.package;
  if (status !== 'pending' && !before) {
    out.write(`\n${toOneLine(`${formatPackage(item)} was ${status} in the meantime.`)}\n`);
    return 'overtaken';
  }
  const lines = formatEvidence(evidence, out);
  out.write(`\n${out.style('dim', `${position} of ${total}`)}\n${lines.join('\n')}\n`);
  if (status !== 'pending' && before) return goOn(review, before, isFirst);
  const move = await decideVersion(review, evidence, isFirst);
  return move === 'changed' ? reviewVersion(review, queued) : move;
};
