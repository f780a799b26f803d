import type { RegistryClient } from '../../shared/api/client/operations.ts';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import type { PackageAnswer } from '../../shared/api/schemas/package.ts';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import type { VersionId } from '../address/address.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { actions } from './actions.ts';
import type { DecisionRequest } from './decision-requests.ts';
import { updateOutcome } from './outcomes.ts';
import { recordDecision, toDecisionFields } from './record-decision.ts';

type Decision = DecisionRequest['decisions'][number];

/** Whether a request may have been carried out although its answer never came, or says that something broke on the way. */
export const isUnconfirmed = ({ status, code }: RequestError): boolean =>
  status === null || status >= 500 || code === 'unexpected_answer';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Until the registry answers. */
const betweenTriesMs = 4000;

const mostLooks = 3;
const betweenLooksMs = 1000;
const lanes = 4;

/** Returns the version as the registry has it; null if it has none. Asks until it answers. */
const findVersion = async (
  api: RegistryClient,
  { ecosystem, name, version }: VersionId,
): Promise<PackageAnswer | null> => {
  for (;;) {
    try {
      return await api.showPackage({ path: { name }, query: { ecosystem, version } });
    } catch (error) {
      const { status } = toRequestError(error);
      if (status === 404) return null;
      await wait(betweenTriesMs);
    }
  }
};

/** Whether a version is as the decision wanted it, by the token that decided. */
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

/** Returns whether a decision was made, as the registry has the version by now. */
const checkDecision = async (
  api: RegistryClient,
  request: DecisionRequest,
  decision: Decision,
): Promise<boolean> => {
  const found = await findVersion(api, decision);
  if (!found) return false;
  const isMade = isDone(request, decision, found);
  if (isMade) recordDecision(decision, request.action, found);
  else updateOutcome(decision, { ...toDecisionFields(found), news: 1 });
  return isMade;
};

/** Decisions of a request that may have been made. */
export interface UnconfirmedDecisions {
  readonly request: DecisionRequest;
  readonly decisions: readonly Decision[];
  /** Whether the request may still be under way: then the registry is asked several times. */
  readonly isRecent: boolean;
}

/** Looks up what became of decisions, and returns those that the registry has not made by now. */
export const verifyDecisions = async (
  api: RegistryClient,
  { request, decisions, isRecent }: UnconfirmedDecisions,
): Promise<readonly Decision[]> => {
  let open = decisions;
  const looks = isRecent ? mostLooks : 1;
  for (let look = 1; look <= looks && open.length > 0; look += 1) {
    if (look > 1) await wait(betweenLooksMs);
    const made = await runInParallel(open, lanes, (one) => checkDecision(api, request, one));
    open = open.filter((_, at) => !made[at]);
  }
  return open;
};
