import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';

/** Error for OSV.dev being unavailable, or only returning malformed responses. Its message is that of the failure. */
export class OsvUnreachableError extends UpstreamError {
  constructor(fault: UpstreamError) {
    super(fault.message, { cause: fault });
  }
}
