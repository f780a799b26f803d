/** Messages between this process and a function's process. Payloads are JSON text, as in Lambda. */

export interface InvokeMessage {
  readonly requestId: string;
  /** Event as JSON. */
  readonly event: string;
  /** Time at which the invocation times out, in epoch milliseconds. */
  readonly deadline: number;
}

/** Error as Lambda reports it to the caller of a function. */
export interface ReportedError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type FunctionMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'init-failed'; readonly error: ReportedError }
  /** Result as JSON. */
  | { readonly type: 'result'; readonly requestId: string; readonly payload: string }
  | { readonly type: 'error'; readonly requestId: string; readonly error: ReportedError };

/** Lambda's limit for events and results, in bytes: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const maxPayloadBytes = 6 * 1024 * 1024;

/** Thrown if a function fails to return a result. */
export class InvocationError extends Error {
  readonly report: ReportedError;

  constructor(report: ReportedError) {
    super(`${report.errorType}: ${report.errorMessage}`);
    this.name = 'InvocationError';
    this.report = report;
  }
}

/** Thrown if the event is larger than Lambda accepts. The function is not invoked. */
export class RequestTooLargeError extends Error {
  override name = 'RequestTooLargeError';
}
