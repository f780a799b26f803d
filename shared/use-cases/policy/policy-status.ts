import type { PolicyRun as PolicyRunAnswer, PolicyStatus } from '../../api/schemas/policy.ts';
import type { ReviewPolicy } from '../../domain/policy/rule.ts';
import { putAlone } from '../../storage/dynamodb/write-alone.ts';
import {
  type PolicyRun,
  readPolicyRun,
  requestPolicyRun,
} from '../../storage/reviews/policy-run.ts';
import { findUnfinishedRun, isPolicyRunDone } from './continue-policy-run.ts';

const requested: PolicyRunAnswer = {
  ...{ state: 'requested', started_at: null, finished_at: null },
  ...{ looked_at: 0, approved: 0, rejected: 0, held: 0, undecided: 0, failed: 0 },
};

const toAnswer = (run: PolicyRun): PolicyRunAnswer => {
  const { started_at, saved_at, looked_at, approved, rejected, held, undecided, failed, after } =
    run;
  return {
    state: after === null ? 'done' : 'running',
    started_at,
    finished_at: after === null ? saved_at : null,
    ...{ looked_at, approved, rejected, held, undecided, failed },
  };
};

/** Returns the deployed policy, and the progress of its last run over all pending versions. */
export const showPolicy = async (policy: ReviewPolicy): Promise<PolicyStatus> => {
  const state = await readPolicyRun();
  const rules = [...policy.rules] as PolicyStatus['rules'];
  if (rules.length === 0) return { rules, run: null };
  const run = isPolicyRunDone(state, policy) ? state.run : findUnfinishedRun(state, policy);
  return { rules, run: run ? toAnswer(run) : requested };
};

/** Requests a run of the policy over all pending versions. It starts when the request is a record in the table's stream. */
export const runPolicy = async (policy: ReviewPolicy, now: Date): Promise<PolicyStatus> => {
  const { rules } = await showPolicy(policy);
  if (rules.length === 0) return { rules, run: null };
  await putAlone(requestPolicyRun(now));
  return { rules, run: requested };
};
