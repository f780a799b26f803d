import { RequestError } from '../../shared/api/client/client.ts';

/** A question that found no answer, whatever stood in its way: not even a refusal of it is one. */
export class UnansweredError extends RequestError {
  constructor(error: RequestError) {
    const { code, detail, status, problem, retryAfterMs } = error;
    super({
      ...{ code, detail, retryAfterMs, cause: error },
      ...(status !== null && { status }),
      ...(problem && { problem }),
    });
  }
}
