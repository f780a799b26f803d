import { RequestError } from '../../shared/api/client/client.ts';

/** A check without an answer. Even a refusal of the request leaves the result unknown, so that it ends with 3. */
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
