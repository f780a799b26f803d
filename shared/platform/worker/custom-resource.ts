import type * as z from 'zod';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { retry } from '../../util/retry.ts';
import { UnfinishedRunError } from '../../util/unfinished-run.ts';
import { CustomResourceEvent } from './events/custom-resource-event.ts';
import { worker } from './worker.ts';

type Outcome = { readonly Status: 'SUCCESS' } | { readonly Status: 'FAILED'; Reason: string };

/** Maximum bytes of a failure reason: CloudFormation accepts responses of up to 4,096 bytes, with the ids of the resource. */
const maxReasonBytes = 2500;
const attempts = 4;
/** Delay before the first retry; each further delay is longer by this step. */
const delayStepMs = 500;
const timeoutMs = 10_000;
/** Part of the function's time that is reserved for the response and its retries. */
const reserveMs = 60_000;

const putAnswer = async (url: string, body: Uint8Array<ArrayBuffer>): Promise<void> => {
  // The URL is signed for a request without a content type.
  const options = { method: 'PUT', headers: { 'content-type': '' }, body };
  const { ok, status } = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  if (!ok) throw new Error(`CloudFormation's bucket answered ${status}`);
};

/** Sends the response to CloudFormation, with retries: a deployment waits for it until its own timeout. */
const sendAnswer = async (event: CustomResourceEvent, outcome: Outcome): Promise<void> => {
  const { ResponseURL, StackId, RequestId, LogicalResourceId, PhysicalResourceId } = event;
  const ids = { StackId, RequestId, LogicalResourceId };
  const document = {
    ...outcome,
    ...ids,
    PhysicalResourceId: PhysicalResourceId ?? LogicalResourceId,
  };
  const body = new TextEncoder().encode(JSON.stringify(document));
  await retry(() => putAnswer(ResponseURL, body), {
    attempts,
    delayMs: (retries) => (retries + 1) * delayStepMs,
    isRetryable: () => true,
  });
};

/** A run that waits for the data format in vain would leave CloudFormation without a response. */
const beginAtOnce = () => Promise.resolve();

/** What an update changes: the properties before it, and the stack. */
export interface ResourceChange {
  /** Undefined if CloudFormation creates the resource. */
  readonly before: unknown;
  readonly stackId: string;
}

/**
 * Returns the handler of a custom resource. It runs `apply` when CloudFormation creates or updates the resource, and does
 * nothing on deletion. An error fails the deployment and is reported as its reason, also data of another format: CloudFormation
 * would wait for a response in vain. Lambda repeats a run that ends with an `UnfinishedRunError`, twice at most.
 */
export const customResource = <S extends z.ZodType>(
  properties: S,
  apply: (properties: z.output<S>, deadline: Deadline, change: ResourceChange) => Promise<void>,
) =>
  worker(
    CustomResourceEvent,
    async (event, deadline) => {
      try {
        if (event.RequestType !== 'Delete') {
          const remainingMs = () => deadline.remainingMs() - reserveMs;
          const change = { before: event.OldResourceProperties, stackId: event.StackId };
          await apply(properties.parse(event.ResourceProperties), { remainingMs }, change);
        }
      } catch (error) {
        // CloudFormation waits for a later run.
        if (error instanceof UnfinishedRunError) throw error;
        logEvent('error', 'custom_resource_failed', { request_id: event.RequestId, error });
        const Reason = Buffer.from(String(error)).subarray(0, maxReasonBytes).toString();
        return sendAnswer(event, { Status: 'FAILED', Reason });
      }
      return sendAnswer(event, { Status: 'SUCCESS' });
    },
    beginAtOnce,
  );
