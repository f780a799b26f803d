import type { RegistryClient } from '../../shared/api/client/operations.ts';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import type { Review } from '../../shared/api/schemas/review.ts';
import { retry } from '../../shared/util/retry.ts';
import { noteConnectionLost } from '../api/connection.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { announce } from '../state/announcements.ts';
import { refreshLists } from '../state/list-refresh.ts';
import {
  type ApproveAllCounts,
  type ApproveAllRun,
  changeApproveAll,
  dismissApproveAll,
  findApproveAll,
  type OpenStep,
  type StepPage,
} from './approve-all.ts';
import { prepareRequests } from './decision-requests.ts';
import { findOutcome, updateOutcomes } from './outcomes.ts';
import { isEvidenceRefusal, postDecisions } from './send-decisions.ts';
import { isUnconfirmed } from './verify-decisions.ts';

/** The delay before the next attempt while the registry does not answer. */
const retryDelayMs = 4000;

/** How long the previous page may keep the lock while it closes. */
const lockWaitMs = 5000;

const lockName = 'registry-approve-all';

const automaticWaits: readonly string[] = ['facts', 'scan', 'age', 'freeze'];

/** Returns true if a pending version has no issue, and waits for neither an automatic check nor a decision of this page. */
const isReady = (review: Review): boolean =>
  review.status === 'pending' &&
  review.issues.length === 0 &&
  review.evidence_version !== null &&
  !review.waits_for.some((wait) => automaticWaits.includes(wait)) &&
  findOutcome(review)?.doing === undefined;

const isPassing = (error: unknown): boolean => {
  const failure = toRequestError(error);
  return isUnconfirmed(failure) || failure.status === 429;
};

/** Repeats an action while the registry does not answer and nobody stops the run. */
const repeat = <T>(action: () => Promise<T>): Promise<T> =>
  retry(action, {
    isRetryable: (error) => isPassing(error) && findApproveAll()?.stage === 'running',
    delayMs: () => retryDelayMs,
    minDelayMs: (error) => toRequestError(error).retryAfterMs,
    onRetry: ({ error }) => {
      if (toRequestError(error).status === null) noteConnectionLost();
    },
  });

type StepResult = Pick<ApproveAllCounts, 'approved' | 'refused' | 'changed'>;

const nothing: StepResult = { approved: 0, refused: 0, changed: 0 };

/** Goes on behind a page whose results are known. */
const finishStep = ({ next, lookedAt, waiting }: StepPage, result: StepResult): void =>
  changeApproveAll(({ counts, stage }) => ({
    after: next,
    open: null,
    stage: next === null ? 'done' : stage,
    counts: {
      lookedAt: counts.lookedAt + lookedAt,
      approved: counts.approved + result.approved,
      refused: counts.refused + result.refused,
      changed: counts.changed + result.changed,
      waiting: counts.waiting + waiting,
    },
  }));

/** Reads a page, and stores the request for its versions with an idempotency key before it is sent. */
const readStep = async (api: RegistryClient, run: ApproveAllRun): Promise<void> => {
  const query = { ...run.query, ...(run.after !== null && { after: run.after }) };
  const { reviews, looked_at, next } = await repeat(() => api.listReviews({ query }));
  const matching = reviews.filter(({ name }) => name.toLowerCase().includes(run.search));
  const ready = matching.filter(isReady);
  const page = { next, lookedAt: looked_at, waiting: matching.length - ready.length };
  const [request] = prepareRequests({ action: 'approve', as: run.as }, ready, run.terms);
  if (request) changeApproveAll(() => ({ open: { request, page } }));
  else finishStep(page, nothing);
};

/** Stores refusals for their rows. The progress counts them, so that no notice has to. */
const noteRefusals = (
  { request: { decisions, action } }: OpenStep,
  errors: readonly (RequestError | undefined)[],
): void => {
  const refusals = decisions.flatMap((id, at) => {
    const error = errors[at];
    const news = isEvidenceRefusal(error) ? 1 : 0;
    return error ? [{ id, refused: { action, error, isRead: true }, news }] : [];
  });
  updateOutcomes(refusals);
  if (refusals.some(({ news }) => news > 0)) refreshLists();
};

/** Sends the request of a step. With the same key, a repetition after a reload or a lost answer is applied once. */
const sendStep = async (api: RegistryClient, step: OpenStep): Promise<void> => {
  const send = () => repeat(() => postDecisions(api, step.request));
  const countOpen = (some: readonly (RequestError | undefined)[]): number =>
    some.filter((error) => error && isUnconfirmed(error)).length;
  let errors = await send();
  // The registry had no time for some versions, or failed. It goes on while each repetition decides on more.
  for (let open = Infinity; countOpen(errors) > 0 && countOpen(errors) < open; ) {
    open = countOpen(errors);
    errors = await send();
  }
  noteRefusals(step, errors);
  const failed = errors.filter((error) => error !== undefined);
  const changed = failed.filter(isEvidenceRefusal).length;
  finishStep(step.page, {
    approved: errors.length - failed.length,
    refused: failed.length - changed,
    changed,
  });
};

/** Describes the numbers of a run: `9,812 approved, 120 refused, 68 with new evidence. Looked at 10,000.` */
export const describeCounts = (counts: ApproveAllCounts): string => {
  const describe = (count: number, what: string): string[] =>
    count > 0 ? [`${count.toLocaleString('en')} ${what}`] : [];
  const parts = [
    `${counts.approved.toLocaleString('en')} approved`,
    ...describe(counts.refused, 'refused'),
    ...describe(counts.changed, 'with new evidence'),
    ...describe(counts.waiting, 'left to automatic checks'),
  ];
  return `${parts.join(', ')}. Looked at ${counts.lookedAt.toLocaleString('en')}.`;
};

const runSteps = async (api: RegistryClient): Promise<void> => {
  for (let run = findApproveAll(); run?.stage === 'running'; run = findApproveAll()) {
    if (run.open) await sendStep(api, run.open);
    else await readStep(api, run);
  }
};

/** Does the steps until the end, a stop, or a failure. After the end of a session, the run waits for a sign-in. */
const runToEnd = async (api: RegistryClient): Promise<void> => {
  try {
    await runSteps(api);
  } catch (error) {
    const { status, detail } = toRequestError(error);
    if (status !== 401) changeApproveAll(() => ({ stage: 'stopped', problem: detail }));
  }
  changeApproveAll(({ stage }) => (stage === 'stopping' ? { stage: 'stopped' } : {}));
  const run = findApproveAll();
  if (run?.stage === 'done') announce(describeCounts(run.counts));
};

/** Runs an action while no other tab does: a duplicated tab has a copy of the run. */
const runAlone = async (action: () => Promise<void>): Promise<void> => {
  // Browsers have no locks on a page without HTTPS.
  if (!('locks' in navigator)) return action();
  try {
    await navigator.locks.request(lockName, { signal: AbortSignal.timeout(lockWaitMs) }, action);
  } catch {
    dismissApproveAll();
    announce('Another window of this browser approves all versions without issues.');
  }
};

let isActive = false;

/** Continues the run of this tab, unless it is active. */
export const continueApproveAll = async (api: RegistryClient): Promise<void> => {
  if (isActive) return;
  isActive = true;
  try {
    await runAlone(() => runToEnd(api));
  } finally {
    isActive = false;
  }
};

/** Stops the run after the request that is under way. */
export const stopApproveAll = (): void =>
  changeApproveAll(() => ({ stage: isActive ? 'stopping' : 'stopped' }));

/** Goes on with a stopped run. */
export const resumeApproveAll = (): void =>
  changeApproveAll(() => ({ stage: 'running', problem: null }));
