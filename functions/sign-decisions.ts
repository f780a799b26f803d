import { SigningEvent } from '../shared/platform/worker/events/signing-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { signDecisions } from '../shared/use-cases/attestations/sign-decisions.ts';
import { signPastDecisions } from '../shared/use-cases/attestations/sign-past-decisions.ts';

export const handler = worker(SigningEvent, async (event, deadline) =>
  'Records' in event ? signDecisions(event) : signPastDecisions(event.after, deadline),
);
