import { rotateTokens } from '../shared/auth/rotate-tokens.ts';
import { RotationEvent } from '../shared/schemas/rotation.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(RotationEvent, rotateTokens);
