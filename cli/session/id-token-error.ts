import { RequestError } from '../../shared/api/client/client.ts';

interface IdTokenFailure {
  /** `missing_token` for a caller without an ID token, `invalid_token` for an expired one, and `unreachable` for a fault. */
  readonly code: 'missing_token' | 'invalid_token' | 'unreachable';
  readonly detail: string;
  readonly advice?: readonly string[];
  readonly cause?: unknown;
}

/** A request was not sent: there is no ID token for it. It ends like a refused token, or with 3 after a fault. */
export class IdTokenError extends RequestError {
  /** What to do next, one line each. */
  readonly advice: readonly string[];

  constructor({ advice = [], ...failure }: IdTokenFailure) {
    super(failure);
    this.advice = advice;
  }
}
