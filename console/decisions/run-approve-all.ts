import type { RegistryClient } from '../../shared/api/client/operations.ts';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { toPackageKey } from '../../shared/domain/packages/package-id.ts';
import { retry } from '../../shared/util/retry.ts';
import { noteConnectionLost } from '../api/connection.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { findSession, hasScope, type Session } from '../session/session.ts';
import { announce } from '../state/announcements.ts';
import { refreshLists } from '../state/list-refresh.ts';
import {
  type ApproveAllCounts,
  type ApproveAllOrder,
  type ApproveAllRun,
  findApproveAll,
  type OpenStep,
  type StepPage,
  setApproveAll,
} from './approve-all.ts';
import { prepareRequests } from './decision-requests.ts';
import { findOutcome, updateOutcomes } from './outcomes.ts';
import { isEvidenceRefusal, postDecisions } from './send-decisions.ts';
import { sortReviews } from './sort-reviews.ts';
import { isUnconfirmed } from './verify-decisions.ts';

/** The delay before the next attempt while the registry does not answer. */
const retryDelayMs = 4000;

/** How long the previous page may keep the lock while it closes. */
const lockWaitMs = 5000;

const lockName = 'registry-approve-all';

const noCounts: ApproveAllCounts = {
  ...{ lookedAt: 0, approved: 0, refused: 0, changed: 0, unknown: 0 },
  ...{ waiting: 0, held: 0, busy: 0, later: 0 },
};

/** Starts to approve all versions without issues. The frame of the page does the steps. */
export const startApproveAll = (order: ApproveAllOrder): void =>
  setApproveAll(() => ({
    ...order,
    // From the newest on: most versions that come after the start are before the first page.
    query: { ...order.query, status: 'pending', issue: 'none', sort: '-submitted_at', limit: 100 },
    stage: 'running',
    ...{ startedAt: Date.now(), changedAt: Date.now() },
    ...{ after: null, older: [], open: null, problem: null },
    counts: noCounts,
  }));

/** Removes the run, and its progress from the page. */
export const dismissApproveAll = (): void => setApproveAll(() => null);

const changeRun = (change: (before: ApproveAllRun) => Partial<ApproveAllRun>): void =>
  setApproveAll((before) => before && { ...before, ...change(before), changedAt: Date.now() });

/** Returns true if a session is of the user who started the run, with the scope that it needs. */
export const mayContinue = ({ fingerprint }: ApproveAllRun, session: Session): boolean =>
  !session.isEnded &&
  (session.caller?.fingerprint ?? null) === fingerprint &&
  hasScope(session, 'review');

/** Returns the client of the session if the run continues in it; undefined otherwise. */
const findClient = (): RegistryClient | undefined => {
  const run = findApproveAll();
  const session = findSession();
  return run?.stage === 'running' && mayContinue(run, session) ? session.api : undefined;
};

const isPassing = (error: unknown): boolean => {
  const failure = toRequestError(error);
  return isUnconfirmed(failure) || failure.status === 429;
};

/** Repeats an action while the registry does not answer, nobody stops the run, and the session stays. */
const repeat = <T>(api: RegistryClient, action: () => Promise<T>): Promise<T> => {
  const isCurrent = (): boolean => findClient() === api;
  return retry(
    () => (isCurrent() ? action() : Promise.reject(new Error('The run or its session has ended'))),
    {
      isRetryable: (error) => isPassing(error) && isCurrent(),
      delayMs: () => retryDelayMs,
      minDelayMs: (error) => toRequestError(error).retryAfterMs,
      onRetry: ({ error }) => {
        if (toRequestError(error).status === null) noteConnectionLost();
      },
    },
  );
};

const countNames = Object.keys(noCounts) as (keyof ApproveAllCounts)[];

const addCounts = (...some: readonly Partial<ApproveAllCounts>[]): ApproveAllCounts =>
  Object.fromEntries(
    countNames.map((name) => [name, some.reduce((sum, one) => sum + (one[name] ?? 0), 0)]),
  ) as unknown as ApproveAllCounts;

/** Goes on behind a page whose results are known. */
const finishStep = ({ next, counts }: StepPage, results: Partial<ApproveAllCounts> = {}): void =>
  changeRun((before) => ({
    after: next,
    open: null,
    stage: next === null ? 'done' : before.stage,
    counts: addCounts(before.counts, counts, results),
  }));

/** Reads the keys of all packages that a held record of malware names. Records are few. */
const readHeldPackages = async (api: RegistryClient): Promise<Set<string>> => {
  const keys = new Set<string>();
  let after: string | null = null;
  do {
    const query = { limit: 100, ...(after !== null && { after }) };
    const page: Awaited<ReturnType<RegistryClient['listHeldRecalls']>> = await api.listHeldRecalls({
      query,
    });
    for (const { ecosystem, packages } of page.held_recalls) {
      for (const name of packages) keys.add(toPackageKey(ecosystem, name));
    }
    after = page.next;
  } while (after !== null);
  return keys;
};

/** Reads a page, and stores the request for its versions with an idempotency key before it is sent. */
const readStep = async (api: RegistryClient, run: ApproveAllRun): Promise<void> => {
  const query = { ...run.query, ...(run.after !== null && { after: run.after }) };
  const [{ reviews, looked_at, next }, heldPackages] = await repeat(api, () =>
    Promise.all([api.listReviews({ query }), readHeldPackages(api)]),
  );
  const isBusy = (id: Parameters<typeof findOutcome>[0]) => findOutcome(id)?.doing !== undefined;
  const { ready, counts, older } = sortReviews(reviews, { run, heldPackages, isBusy });
  const page = { next, counts: { ...counts, lookedAt: looked_at } };
  const [request] = prepareRequests({ action: 'approve', as: run.as }, ready, run.terms);
  changeRun(() => ({ older: [...run.older, ...older], open: request ? { request, page } : null }));
  if (!request) finishStep(page);
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
  const send = () => repeat(api, () => postDecisions(api, step.request));
  const countUnknown = (some: readonly (RequestError | undefined)[]): number =>
    some.filter((error) => error && isUnconfirmed(error)).length;
  let errors = await send();
  // The registry had no time for some versions, or failed. It goes on while each repetition decides on more.
  for (let open = Infinity; countUnknown(errors) > 0 && countUnknown(errors) < open; ) {
    open = countUnknown(errors);
    errors = await send();
  }
  noteRefusals(step, errors);
  const failed = errors.filter((error) => error !== undefined);
  const changed = failed.filter(isEvidenceRefusal).length;
  const unknown = countUnknown(errors);
  finishStep(step.page, {
    approved: errors.length - failed.length,
    refused: failed.length - changed - unknown,
    ...{ changed, unknown },
  });
};

const countTexts = {
  refused: 'refused',
  changed: 'with new evidence',
  unknown: 'with an unknown result',
  held: 'under a held record of malware',
  busy: 'with an open decision on this page',
  later: 'submitted after the start',
  waiting: 'left to automatic checks',
} satisfies Partial<Record<keyof ApproveAllCounts, string>>;

/** Describes the numbers of a run: `9,812 approved, 120 refused, 68 with new evidence. Looked at 10,000.` */
export const describeCounts = (counts: ApproveAllCounts): string => {
  const names = Object.keys(countTexts) as (keyof typeof countTexts)[];
  const parts = [
    `${counts.approved.toLocaleString('en')} approved`,
    ...names.flatMap((name) =>
      counts[name] > 0 ? [`${counts[name].toLocaleString('en')} ${countTexts[name]}`] : [],
    ),
  ];
  if (counts.lookedAt > 0 && parts.length === 1 && counts.approved === 0) {
    return `Each of the ${counts.lookedAt.toLocaleString('en')} versions has an issue: none is approved.`;
  }
  return `${parts.join(', ')}. Looked at ${counts.lookedAt.toLocaleString('en')}.`;
};

/** Does the next step. A failure stops the run, unless it belongs to a session that has ended or was replaced meanwhile. */
const doStep = async (api: RegistryClient, run: ApproveAllRun): Promise<void> => {
  try {
    if (run.open) await sendStep(api, run.open);
    else await readStep(api, run);
  } catch (error) {
    if (findClient() !== api) return;
    const problem = toRequestError(error).detail;
    changeRun(() => ({ stage: 'stopped', problem }));
    announce(`The approval of all versions stopped: ${problem}`);
  }
};

/** Does the steps until the end, a stop, a failure, or the end of the session. The run then waits for a sign-in. */
const runToEnd = async (): Promise<void> => {
  for (let api = findClient(); api; api = findClient()) {
    const run = findApproveAll();
    if (run) await doStep(api, run);
  }
  changeRun(({ stage }) => (stage === 'stopping' ? { stage: 'stopped' } : {}));
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

/** Continues the run of this tab, unless it is active. Every step looks at the session. */
export const continueApproveAll = async (): Promise<void> => {
  if (isActive) return;
  isActive = true;
  try {
    await runAlone(runToEnd);
  } finally {
    isActive = false;
  }
  // The session may have come back while the run was ending.
  if (findClient()) await continueApproveAll();
};

/** Stops the run after the request that is under way. */
export const stopApproveAll = (): void =>
  changeRun(() => ({ stage: isActive ? 'stopping' : 'stopped' }));

/** Goes on with a stopped run. */
export const resumeApproveAll = (): void => changeRun(() => ({ stage: 'running', problem: null }));
