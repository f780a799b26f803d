/** What this process and a function's process say to each other. Payloads cross as JSON text, as they do in Lambda. */

export interface InvokeMessage {
  readonly requestId: string;
  /** The event, as JSON. */
  readonly event: string;
  /** Epoch milliseconds at which the invocation times out. */
  readonly deadline: number;
}

/** An error as Lambda reports it to the caller of a function. */
export interface ReportedError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type FunctionMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'init-failed'; readonly error: ReportedError }
  /** The result, as JSON. */
  | { readonly type: 'result'; readonly requestId: string; readonly payload: string }
  | { readonly type: 'error'; readonly requestId: string; readonly error: ReportedError };

/** Bytes that Lambda lets into a function, and out of it: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const maxPayloadBytes = 6 * 1024 * 1024;

/** A function that could not answer. */
export class InvocationError extends Error {
  readonly report: ReportedError;

  constructor(report: ReportedError) {
    super(`${report.errorType}: ${report.errorMessage}`);
    this.name = 'InvocationError';
    this.report = report;
  }
}

/** The event is larger than Lambda accepts; the function never saw it. */
export class RequestTooLargeError extends Error {
  override name = 'RequestTooLargeError';
}
