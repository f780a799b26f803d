import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { groupBy } from '../../../shared/util/group-by.ts';
import { readTypedPackage } from '../../framework/named-package.ts';
import { InterruptedError } from '../../input/interrupted-error.ts';
import { openPrompt } from '../../input/prompt.ts';
import { UsageError } from '../../input/usage-error.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import type { Desk, Step } from './desk.ts';
import { introduce } from './introduce.ts';
import { lookAt } from './look.ts';
import { findNextPending, type QueueFilter } from './queue.ts';

/** What a review is narrowed down to, and who reviews. */
interface ReviewFlags extends Pick<QueueFilter, 'ecosystem' | 'search'> {
  readonly by?: string;
}

/** A version that was looked at, and what became of it. */
interface Passed {
  readonly item: PackageListItem;
  readonly step: Step;
}

/**
 * Finds what comes after all that was passed, and how many there are with it. What was skipped waits still; what was
 * skipped and then decided by others waits no more, which nobody tells.
 */
const findNext = async (desk: Desk, filter: QueueFilter, passed: readonly Passed[]) => {
  const seen = new Set(passed.map(({ item }) => toVersionKey(item)));
  const next = await findNextPending(desk, filter, seen);
  if (!next) return undefined;
  const done = passed.filter(({ step }) => step !== 'skipped').length;
  return { item: next.item, total: Math.max(done + next.waiting, passed.length + 1) };
};

/** Goes through the queue, and keeps in `passed` what became of each version; resolves to whether anything waited. */
const walk = async (desk: Desk, filter: QueueFilter, passed: Passed[]): Promise<boolean> => {
  let total = 0;
  for (let at = 0; ; ) {
    const earlier = passed[at];
    const next = earlier ?? (await findNext(desk, filter, passed));
    if (!next) return passed.length > 0;
    if ('total' in next) total = next.total;
    const { item } = next;
    const move = await lookAt(desk, { item, before: earlier?.step, position: at + 1, total });
    if (move === 'quit') return true;
    if (move === 'back') at -= 1;
    else {
      passed[at] = { item, step: move };
      at += 1;
    }
  }
};

const describeTally = (passed: readonly Passed[]): string => {
  const counts = groupBy(passed, ({ step }) => step);
  const said = [...counts].map(([step, some]) =>
    step === 'overtaken'
      ? `${formatCount(some.length)} decided by others`
      : `${formatCount(some.length)} ${step}`,
  );
  return said.length > 0 ? `${said.join(', ')}.` : 'Nothing was decided.';
};

/** Goes through the queue, and tells in the end what was decided, however it ends. */
const reviewQueue = async (desk: Desk, filter: QueueFilter): Promise<void> => {
  const { out } = desk.session.terminal;
  const passed: Passed[] = [];
  let isEmpty = false;
  try {
    isEmpty = !(await walk(desk, filter, passed));
  } finally {
    out.write(isEmpty ? 'Nothing waits for a decision.\n' : `\n${describeTally(passed)}\n`);
  }
};

/** @throws {UsageError} for what names no package, and for flags that say something else */
const readFilter = (text: string | undefined, { ecosystem, search }: ReviewFlags): QueueFilter => {
  if (text === undefined) return { ...(ecosystem && { ecosystem }), ...(search && { search }) };
  if (search !== undefined)
    throw new UsageError('Give a package or --search, and only one of these.');
  const asked = readTypedPackage(text, { ecosystem });
  const { name, version } = asked;
  return {
    ...(asked.ecosystem && { ecosystem: asked.ecosystem }),
    only: { name, ...(version && { version }) },
  };
};

/**
 * Walks through the pending queue with the person at the terminal.
 * @param text the package or version to review; all that is pending, if undefined
 * @throws {UsageError} without a terminal: a script decides by approve and reject
 * @throws {InterruptedError} once they pressed Ctrl-C
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
      'review needs a terminal. A script reads registry list --status pending, and decides by approve and reject.',
    );
  }
  const prompt = openPrompt();
  const desk = { session, prompt, by: flags.by };
  try {
    await introduce(desk);
    await reviewQueue(desk, filter);
  } catch (error) {
    throw prompt.interrupted.aborted ? new InterruptedError() : error;
  } finally {
    prompt.close();
  }
};
