import { RequestError } from '../../shared/client/client.ts';
import { toVersionKey } from '../../shared/domain/package-id.ts';
import type { VersionEvidence } from '../../shared/schemas/evidence.ts';
import type { PackageListItem } from '../../shared/schemas/package.ts';
import { UsageError } from '../input/usage-error.ts';
import { toOneLine } from '../output/text.ts';
import { formatEvidence } from '../route/version-evidence.ts';
import type { Session } from '../session/session.ts';
import type { Desk, Step } from './desk.ts';
import { openPrompt } from './prompt.ts';
import { findNextPending, type QueueFilter } from './queue.ts';
import { settle } from './settle.ts';
import { selectVersion } from './version-selection.ts';

/** What a review is narrowed down to, and who reviews. */
interface ReviewFlags extends QueueFilter {
  readonly by?: string;
}

/** A fault that would meet the next version too: nobody answers, or not the registry. */
const isAway = (error: unknown): boolean =>
  error instanceof RequestError &&
  (error.problem === null || [401, 403].includes(error.status ?? 0));

/** What is known of a version; says why if it cannot be read, and the review goes on without this one. */
const readEvidence = async (
  { client, terminal }: Session,
  item: PackageListItem,
): Promise<VersionEvidence | undefined> => {
  try {
    return await client.showEvidence(selectVersion(item));
  } catch (error) {
    if (isAway(error)) throw error;
    const { out } = terminal;
    const why = toOneLine(
      `${item.name} ${item.version} cannot be shown: ${(error as Error).message}`,
    );
    out.write(`\n${out.style('red', why)}\n`);
    return undefined;
  }
};

const lookAt = async (desk: Desk, item: PackageListItem, waiting: number): Promise<Step> => {
  const { out } = desk.session.terminal;
  const evidence = await readEvidence(desk.session, item);
  if (!evidence) return 'skipped';
  if (evidence.package.status !== 'pending') return 'overtaken';
  const lines = formatEvidence(evidence, out);
  out.write(`\n${out.style('dim', `${waiting} pending`)}\n${lines.join('\n')}\n`);
  return settle(desk, item);
};

/** Counts in `tally` what became of each version. */
const walk = async (desk: Desk, filter: QueueFilter, tally: Map<Step, number>): Promise<void> => {
  const seen = new Set<string>();
  for (;;) {
    const next = await findNextPending(desk.session.client, filter, seen);
    if (!next) return;
    seen.add(toVersionKey(next.item));
    const step = await lookAt(desk, next.item, next.waiting);
    if (step === 'quit') return;
    tally.set(step, (tally.get(step) ?? 0) + 1);
  }
};

const describeTally = (tally: ReadonlyMap<Step, number>): string => {
  const counts = [...tally].map(([step, count]) =>
    step === 'overtaken' ? `${count} decided by others` : `${count} ${step}`,
  );
  return counts.length > 0 ? `${counts.join(', ')}.` : 'Nothing was decided.';
};

/**
 * Walks through the pending queue with the person at the terminal.
 * @throws {UsageError} without a terminal: a script decides by approve and reject
 */
export const review = async (flags: ReviewFlags, session: Session): Promise<void> => {
  const { out } = session.terminal;
  if (!process.stdin.isTTY || !out.isTerminal) {
    throw new UsageError(
      'review needs a terminal. A script reads registry list --status pending, and decides by approve and reject.',
    );
  }
  const { ecosystem, search, by } = flags;
  const filter = { ...(ecosystem && { ecosystem }), ...(search && { search }) };
  const prompt = openPrompt();
  const tally = new Map<Step, number>();
  try {
    await walk({ session, prompt, by }, filter, tally);
  } finally {
    prompt.close();
    out.write(`\n${describeTally(tally)}\n`);
  }
};
