import { AskError } from '../../util/outbound-http/upstream-error.ts';

/** OSV.dev answers nobody, or nothing that makes sense: whatever is asked, its reason is this fault. */
export class OsvUnreachableError extends AskError {
  constructor(fault: AskError) {
    super(fault.message, { cause: fault });
  }
}
