import { RequestError } from '../../shared/client/client.ts';
import { packageVersionKey } from '../../shared/domain/package-id.ts';
import type { PackageListItem } from '../../shared/schemas/package.ts';
import { exitCodeOf, exitCodes, reasonLines } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { decide, outcomeText, type Verdict } from './decide.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { evidenceLines } from './evidence-lines.ts';
import { openPrompt, type Prompt } from './prompt.ts';
import { nextPending, type QueueFilter } from './queue.ts';

/** What a review is narrowed down to, and who reviews. */
export interface ReviewFlags extends QueueFilter {
  readonly by?: string;
}

interface Desk {
  readonly session: Session;
  readonly terminal: Terminal;
}

interface OpenDesk extends Desk {
  readonly prompt: Prompt;
  readonly flags: ReviewFlags;
}

type Step = 'approved' | 'rejected' | 'overtaken' | 'skipped' | 'quit';

const question = '\nApprove, reject, skip or quit? [a/r/s/q] ';

/** What the reviewer wants; asks again until the answer means something, and a rejection has its reason. */
const askVerdict = async (prompt: Prompt): Promise<Omit<Verdict, 'by'> | 'skipped' | 'quit'> => {
  for (;;) {
    const answer = (await prompt.ask(question))?.toLowerCase();
    if (answer === undefined || answer === 'q' || answer === 'quit') return 'quit';
    if (answer === 's' || answer === 'skip') return 'skipped';
    if (answer === 'a' || answer === 'approve') return { to: 'approved', reason: undefined };
    if (answer === 'r' || answer === 'reject') {
      const reason = await prompt.ask('Why? (nothing: do not reject) ');
      if (reason) return { to: 'rejected', reason };
    }
  }
};

/** A refusal of this one version ends nothing; a wrong token or a fault would meet the next one too. */
const isAboutThisVersion = (error: unknown): error is RequestError =>
  error instanceof RequestError &&
  exitCodeOf(error) === exitCodes.refused &&
  error.status !== 401 &&
  error.status !== 403;

/** Tells what stands in the way of an approval, and approves all the same if the reviewer gives a reason. */
const settleBlocked = async (
  desk: OpenDesk,
  item: PackageListItem,
  refusal: RequestError,
): Promise<Step> => {
  desk.terminal.out.write(`${reasonLines(refusal).join('\n')}\n`);
  const reason = await desk.prompt.ask('Approve all the same? Why? (nothing: do not) ');
  return reason ? settle(desk, item, { to: 'approved', reason, override: true }) : 'skipped';
};

const settle = async (
  desk: OpenDesk,
  item: PackageListItem,
  verdict: Omit<Verdict, 'by'>,
): Promise<Step> => {
  const { session, terminal, flags } = desk;
  try {
    const outcome = await decide(session.client, item, { ...verdict, by: flags.by });
    terminal.out.write(`${outcomeText(outcome)}\n`);
    return outcome.kind === 'overtaken' ? 'overtaken' : verdict.to;
  } catch (error) {
    if (!isAboutThisVersion(error)) throw error;
    if (error.code === 'approval_blocked') return settleBlocked(desk, item, error);
    terminal.out.write(`${terminal.out.style('red', oneLine(error.detail))}\n`);
    return 'skipped';
  }
};

/** A fault that would meet the next version too: nobody answers, or not the registry. */
const isAway = (error: unknown): boolean =>
  error instanceof RequestError &&
  (error.problem === null || [401, 403].includes(error.status ?? 0));

/** What is known of a version; says why if it cannot be read, and the review goes on without this one. */
const evidenceOf = async (
  { session, terminal }: OpenDesk,
  item: PackageListItem,
): Promise<Evidence | undefined> => {
  try {
    return await gatherEvidence(session.client, item);
  } catch (error) {
    if (isAway(error)) throw error;
    const { out } = terminal;
    const why = oneLine(
      `${item.name} ${item.version} cannot be shown: ${(error as Error).message}`,
    );
    out.write(`\n${out.style('red', why)}\n`);
    return undefined;
  }
};

const lookAt = async (desk: OpenDesk, item: PackageListItem, waiting: number): Promise<Step> => {
  const { terminal, prompt } = desk;
  const { out } = terminal;
  const evidence = await evidenceOf(desk, item);
  if (!evidence) return 'skipped';
  if (evidence.detail.status !== 'pending') return 'overtaken';
  const lines = evidenceLines(evidence, out);
  out.write(`\n${out.style('dim', `${waiting} pending`)}\n${lines.join('\n')}\n`);
  const verdict = await askVerdict(prompt);
  return typeof verdict === 'string' ? verdict : settle(desk, item, verdict);
};

const walk = async (desk: OpenDesk, tally: Map<Step, number>): Promise<void> => {
  const { session, flags } = desk;
  const { ecosystem, search } = flags;
  const filter = { ...(ecosystem && { ecosystem }), ...(search && { search }) };
  const seen = new Set<string>();
  for (;;) {
    const next = await nextPending(session.client, filter, seen);
    if (!next) return;
    seen.add(packageVersionKey(next.item));
    const step = await lookAt(desk, next.item, next.waiting);
    if (step === 'quit') return;
    tally.set(step, (tally.get(step) ?? 0) + 1);
  }
};

const summary = (tally: ReadonlyMap<Step, number>): string => {
  const counts = [...tally].map(([step, count]) =>
    step === 'overtaken' ? `${count} decided by others` : `${count} ${step}`,
  );
  return counts.length > 0 ? `${counts.join(', ')}.` : 'Nothing was decided.';
};

/**
 * Walks through the pending queue with the person at the terminal.
 * @throws {UsageError} without a terminal: a script decides by approve and reject
 */
export const review = async (flags: ReviewFlags, { session, terminal }: Desk): Promise<void> => {
  if (!process.stdin.isTTY || !terminal.out.isTerminal) {
    throw new UsageError(
      'review needs a terminal. A script reads registry list --status pending, and decides by approve and reject.',
    );
  }
  const prompt = openPrompt();
  const tally = new Map<Step, number>();
  try {
    await walk({ session, terminal, prompt, flags }, tally);
  } finally {
    prompt.close();
    terminal.out.write(`\n${summary(tally)}\n`);
  }
};
