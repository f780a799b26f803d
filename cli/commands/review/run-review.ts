import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { readTypedPackage } from '../../framework/named-package.ts';
import { InterruptedError } from '../../input/interrupted-error.ts';
import { openPrompt } from '../../input/prompt.ts';
import { UsageError } from '../../input/usage-error.ts';
import { countBy, formatTally } from '../../output/tally.ts';
import type { Session } from '../../session/session.ts';
import { checkReviewer } from './check-reviewer.ts';
import { findNextPending, type QueueFilter } from './queue.ts';
import type { ReviewSession, Step } from './review-session.ts';
import { reviewVersion } from './review-version.ts';

/** The flags of `registry review`. */
interface ReviewFlags extends Pick<QueueFilter, 'ecosystem' | 'search' | 'batch'> {
  readonly by?: string;
}

/** A version that the reviewer has seen, and its outcome. */
interface Reviewed {
  readonly item: PackageListItem;
  readonly step: Step;
}

/**
 * Finds the next version, and the total with it. Skipped versions are still pending. The total misses skipped versions that
 * others have decided since.
 */
const findNext = async (
  review: ReviewSession,
  filter: QueueFilter,
  reviewed: readonly Reviewed[],
) => {
  const seen = new Set(reviewed.map(({ item }) => toVersionKey(item)));
  const next = await findNextPending(review, filter, seen);
  if (!next) return undefined;
  const done = reviewed.filter(({ step }) => step !== 'skipped').length;
  return { item: next.item, total: Math.max(done + next.waiting, reviewed.length + 1) };
};

/** Reviews the queue, and adds the outcome of each version to `reviewed`. Resolves to whether the queue had versions. */
const walk = async (
  review: ReviewSession,
  filter: QueueFilter,
  reviewed: Reviewed[],
): Promise<boolean> => {
  let total = 0;
  for (let at = 0; ; ) {
    const earlier = reviewed[at];
    const next = earlier ?? (await findNext(review, filter, reviewed));
    if (!next) return reviewed.length > 0;
    if ('total' in next) total = next.total;
    const { item } = next;
    const move = await reviewVersion(review, {
      item,
      before: earlier?.step,
      position: at + 1,
      total,
    });
    if (move === 'quit') return true;
    if (move === 'back') at -= 1;
    else {
      reviewed[at] = { item, step: move };
      at += 1;
    }
  }
};

const describeTally = (reviewed: readonly Reviewed[]): string => {
  const counts = countBy(reviewed, ({ step }) =>
    step === 'overtaken' ? 'decided by others' : step,
  );
  return counts.length > 0 ? `${formatTally(counts)}.` : 'Nothing was decided.';
};

/** Reviews the queue, and always shows the number of decisions at the end. */
const reviewQueue = async (review: ReviewSession, filter: QueueFilter): Promise<void> => {
  const { out } = review.session.terminal;
  const reviewed: Reviewed[] = [];
  let isEmpty = false;
  try {
    isEmpty = !(await walk(review, filter, reviewed));
  } finally {
    const isFiltered = Object.keys(filter).length > 0;
    const nothing = isFiltered ? 'Nothing that matches is pending.\n' : 'Nothing is pending.\n';
    out.write(isEmpty ? nothing : `\n${describeTally(reviewed)}\n`);
  }
};

/** @throws {UsageError} for text that names no package, and for flags that contradict it */
const readFilter = (
  text: string | undefined,
  { ecosystem, search, batch }: ReviewFlags,
): QueueFilter => {
  if ([text, search, batch].filter((one) => one !== undefined).length > 1) {
    throw new UsageError('Give a package, --search or --batch, and only one of these.');
  }
  if (text === undefined) {
    return {
      ...(ecosystem && { ecosystem }),
      ...(search && { search }),
      ...(batch && { batch }),
    };
  }
  const typed = readTypedPackage(text, { ecosystem });
  const { name, version } = typed;
  return {
    ...(typed.ecosystem && { ecosystem: typed.ecosystem }),
    only: { name, ...(version && { version }) },
  };
};

/**
 * Reviews pending versions with the user at the terminal.
 * @param text the package or version to review; all pending versions if undefined
 * @throws {UsageError} without a terminal
 * @throws {InterruptedError} after Ctrl-C
 */
export const runReview = async (
  text: string | undefined,
  flags: ReviewFlags,
  session: Session,
): Promise<void> => {
  const filter = readFilter(text, flags);
  const { out } = session.terminal;
  if (!process.stdin.isTTY || !out.isTerminal) {
    throw new UsageError(
      'review needs a terminal. In a script, use registry list --status pending, approve and reject.',
    );
  }
  const prompt = openPrompt();
  const review = { session, prompt, by: flags.by };
  try {
    await checkReviewer(review);
    await reviewQueue(review, filter);
  } catch (error) {
    throw prompt.interrupted.aborted ? new InterruptedError() : error;
  } finally {
    prompt.close();
  }
};
