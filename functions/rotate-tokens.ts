import { rotateTokens } from '../shared/platform/auth/rotate-tokens.ts';
import { RotationEvent } from '../shared/platform/worker/events/rotation-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';

export const handler = worker(RotationEvent, rotateTokens);
