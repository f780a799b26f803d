import type * as z from 'zod';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { retry } from '../../util/retry.ts';
import { CustomResourceEvent } from './events/custom-resource.ts';
import { worker } from './worker.ts';

type Outcome = { readonly Status: 'SUCCESS' } | { readonly Status: 'FAILED'; Reason: string };

/** CloudFormation takes no answer above 4,096 bytes. */
const maxReasonLength = 1000;
const attempts = 4;
/** The delay before the first retry; each further one is longer by as much. */
const delayStepMs = 500;
const timeoutMs = 10_000;
/** Kept back from the function's time, for the answer and its repetitions. */
const reserveMs = 60_000;

const putAnswer = async (url: string, body: Uint8Array<ArrayBuffer>): Promise<void> => {
  // The address is signed for a request without a content type.
  const options = { method: 'PUT', headers: { 'content-type': '' }, body };
  const { ok, status } = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  if (!ok) throw new Error(`CloudFormation's bucket answered ${status}`);
};

/** A deployment waits for the answer: one that does not get through would keep it waiting till its time is over. */
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

/**
 * The handler behind a custom resource: brings something about when the stack is created or updated, and leaves it
 * when the stack goes. A failure fails the deployment and tells it why.
 */
export const customResource = <S extends z.ZodType>(
  properties: S,
  apply: (properties: z.output<S>, deadline: Deadline) => Promise<void>,
) =>
  worker(CustomResourceEvent, async (event, deadline) => {
    try {
      if (event.RequestType !== 'Delete') {
        const remainingMs = () => deadline.remainingMs() - reserveMs;
        await apply(properties.parse(event.ResourceProperties), { remainingMs });
      }
    } catch (error) {
      logEvent('error', 'custom_resource_failed', { request_id: event.RequestId, error });
      const Reason = String(error).slice(0, maxReasonLength);
      return sendAnswer(event, { Status: 'FAILED', Reason });
    }
    return sendAnswer(event, { Status: 'SUCCESS' });
  });
