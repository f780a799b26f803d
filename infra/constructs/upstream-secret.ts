import { type Access, upstreamSecretEnv } from '../../shared/api/resources.ts';
import type { Settings } from '../config.ts';
import type { RegistryFunction } from './registry-function.ts';

/**
 * Grants the function these actions on the secret with the accounts at upstream services, and sets the variable with its ARN.
 * The secret is the operator's, so the stack neither creates nor deletes it.
 */
export const bindUpstreamSecret = (
  target: RegistryFunction,
  actions: NonNullable<Access['upstreamSecret']>,
  { upstreamSecretArn: arn }: Settings,
): void => {
  if (arn === undefined) return;
  target.allow(
    actions.map((action) => `secretsmanager:${action}`),
    [arn],
  );
  target.setVariable(upstreamSecretEnv, arn);
};
