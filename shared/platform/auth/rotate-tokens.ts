import { randomUUID } from 'node:crypto';
import { readKeptTokens, readTokensSecretArn } from '../../api/settings/env.ts';
import { logEvent } from '../../util/log.ts';
import type { RotationEvent } from '../worker/events/rotation-event.ts';
import { createSecret, finishSecret, type Rotation, testSecret } from './rotation.ts';

/** Steps of a rotation, in order. `setSecret` does nothing, because the registry reads the secret itself. */
const steps = {
  createSecret,
  setSecret: async (): Promise<void> => undefined,
  testSecret,
  finishSecret,
} as const satisfies Record<string, (rotation: Rotation) => Promise<void>>;

/** Runs the rotation step that Secrets Manager requests; without a step, all steps. Each step is idempotent. */
export const rotateTokens = async (event: RotationEvent): Promise<void> => {
  const secretArn = readTokensSecretArn();
  const kept = readKeptTokens();
  if (!('Step' in event)) {
    const rotation = { secretArn, token: randomUUID(), kept };
    for (const step of Object.values(steps)) await step(rotation);
    logEvent('info', 'tokens_rotated', { version: rotation.token });
    return;
  }
  if (event.SecretId !== secretArn) throw new Error('This function rotates the token list only');
  const { Step, ClientRequestToken: token } = event;
  await steps[Step]({ secretArn, token, kept });
  if (Step === 'finishSecret') logEvent('info', 'tokens_rotated', { version: token });
};
