import type { RegistryClient } from '../../shared/api/client/operations.ts';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import type { PackageAnswer } from '../../shared/api/schemas/package.ts';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import { retry } from '../../shared/util/retry.ts';
import type { VersionId } from '../address/version-id.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { actions } from './actions.ts';
import type { DecisionRequest } from './decision-requests.ts';
import { updateOutcomes } from './outcomes.ts';
import { recordDecisions, toDecisionFields } from './record-decision.ts';

type Decision = DecisionRequest['decisions'][number];

/** Returns true if a request may have been applied, although the answer is missing or an error. */
export const isUnconfirmed = ({ status, code }: RequestError): boolean =>
  status === null || status >= 500 || code === 'unexpected_answer';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The delay before the next attempt while the registry does not answer. */
const retryDelayMs = 4000;

const maxChecks = 3;
const checkDelayMs = 1000;
const parallelReads = 4;

/** Resolves to the version in the registry; null if it does not exist. Retries until the registry answers. */
const findVersion = async (
  api: RegistryClient,
  { ecosystem, name, version }: VersionId,
): Promise<PackageAnswer | null> => {
  const isMissing = (error: unknown): boolean => toRequestError(error).status === 404;
  const read = () => api.showPackage({ path: { name }, query: { ecosystem, version } });
  const isRetryable = (error: unknown): boolean => !isMissing(error);
  try {
    return await retry(read, { delayMs: () => retryDelayMs, isRetryable });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Returns true if a version has the status, reason and expiry of the decision, by the same token. */
const isDone = ({ action, as }: DecisionRequest, decision: Decision, found: PackageAnswer) => {
  const { status, approved_token_label, rejected_token_label, reason } = found;
  const label = status === 'approved' ? approved_token_label : rejected_token_label;
  const until = 'expires_at' in decision ? decision.expires_at : undefined;
  return (
    status === actions[action].status &&
    label === as &&
    reason === (decision.reason ?? null) &&
    (!until || Date.parse(until) === Date.parse(found.expires_at ?? ''))
  );
};

/** Reads a version again. Resolves to true if the decision was made. */
const checkDecision = async (
  api: RegistryClient,
  request: DecisionRequest,
  decision: Decision,
): Promise<boolean> => {
  const found = await findVersion(api, decision);
  if (!found) return false;
  const isMade = isDone(request, decision, found);
  if (isMade) recordDecisions(request.action, [{ id: decision, found }]);
  else updateOutcomes([{ id: decision, ...toDecisionFields(found), news: 1 }]);
  return isMade;
};

/** Decisions of a request without an answer, which may have been made. */
export interface UnconfirmedDecisions {
  readonly request: DecisionRequest;
  readonly decisions: readonly Decision[];
  /** True if the request may still arrive: the versions are then checked several times. */
  readonly isRecent: boolean;
}

/** Checks decisions without an answer. Resolves to those that the registry has not made. */
export const verifyDecisions = async (
  api: RegistryClient,
  { request, decisions, isRecent }: UnconfirmedDecisions,
): Promise<readonly Decision[]> => {
  let open = decisions;
  const checks = isRecent ? maxChecks : 1;
  for (let check = 1; check <= checks && open.length > 0; check += 1) {
    if (check > 1) await wait(checkDelayMs);
    const made = await runInParallel(open, parallelReads, (one) =>
      checkDecision(api, request, one),
    );
    open = open.filter((_, at) => !made[at]);
  }
  return open;
};
