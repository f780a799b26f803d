/** Signing keys without a stack, for tests of code that signs or reads a public key. */
import { type RunningService, startService } from '../start-service.ts';
import type { StackModel } from '../template/model.ts';
import { createKeyManagement } from './key-management.ts';
import { openKeyStore } from './key-store.ts';

/** Starts a KMS with new signing keys of a template, which are kept in memory only. */
export const startSigningKeys = async ({
  signingKeys,
}: Pick<StackModel, 'signingKeys'>): Promise<RunningService> => {
  const { handle } = createKeyManagement(await openKeyStore(undefined, Object.values(signingKeys)));
  return startService('kms', handle);
};
