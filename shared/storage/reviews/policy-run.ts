import { randomUUID } from 'node:crypto';
import { policyRunPartition } from '../../api/resources.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Request to evaluate the policy for all pending versions. Later requests replace earlier ones. */
interface PolicyRunRequest {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Progress of the evaluation of the policy for all pending versions. */
export interface PolicyRun {
  /** Digest of the policy. */
  readonly policy: string;
  /** ID of the request that the run answers; null if only the policy changed. */
  readonly request: string | null;
  /** Sequence number of the last processed version; null after all versions. */
  readonly after: number | null;
  /** ISO 8601. */
  readonly started_at: string;
  /** ISO 8601. Each step saves the run. */
  readonly saved_at: string;
  readonly looked_at: number;
  readonly approved: number;
  readonly rejected: number;
  /** Versions that a rule holds for manual review. */
  readonly held: number;
  /** Versions that match no rule, or wait for a check or their age. */
  readonly undecided: number;
  /** Versions that failed; the log names them. */
  readonly failed: number;
}

const runTable = defineTable<PolicyRun>('reviews');
const requestTable = defineTable<PolicyRunRequest>('reviews');

const runKey = { v: policyRunPartition, k: 'run' };
const requestKey = { v: policyRunPartition, k: 'request' };

/** Returns the write that requests a run. */
export const requestPolicyRun = (now: Date): Write =>
  putItem(requestTable, { ...requestKey, id: randomUUID(), at: now.toISOString() });

/** Last run and last request. */
export interface PolicyRunState {
  readonly run: PolicyRun | undefined;
  readonly request: PolicyRunRequest | undefined;
}

export const readPolicyRun = async (): Promise<PolicyRunState> => {
  const [run, request] = await Promise.all([
    getItem(runTable, runKey),
    getItem(requestTable, requestKey),
  ]);
  return { run, request };
};

/** Error of a step that another invocation has done at the same time. */
export class PolicyRunMovedError extends Error {
  override readonly name = 'PolicyRunMovedError';
}

/**
 * Saves a step of a run.
 * @throws {PolicyRunMovedError} if another invocation has saved a step since `seen` was read
 */
export const savePolicyRun = (seen: PolicyRun | undefined, run: PolicyRun): Promise<void> =>
  putAlone(
    putItem(
      runTable,
      { ...runKey, ...run },
      {
        ...ifUnchanged(seen, ['started_at', 'saved_at']),
        refuse: () => new PolicyRunMovedError('Another invocation continued the policy run'),
      },
    ),
  );
