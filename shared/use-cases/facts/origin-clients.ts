import { readOriginSettings } from '../../api/settings/env.ts';
import { readImageRegistries } from '../../api/settings/image-registries.ts';
import { createOriginClient, type OriginClient } from '../../ecosystems/origin-client.ts';
import { createFindAuthorization } from '../../platform/auth/upstream-accounts.ts';

/** Time limit for all requests about one version, so that a batch and its writes fit into the function's time. */
const versionDeadlineMs = 20_000;
/** Time limit for the requests about one added dependency, or about the attestations of one version. */
const furtherDeadlineMs = 5_000;

interface OriginClients {
  /** Client of the versions' metadata. */
  readonly versions: OriginClient;
  /** Client of what follows from that metadata, with less time. */
  readonly further: OriginClient;
}

/** Creates the clients of a batch of upstream fetches, from this deployment's settings. */
export const createOriginClients = (): OriginClients => {
  const settings = {
    ...readOriginSettings(),
    imageRegistries: readImageRegistries(),
    findAuthorization: createFindAuthorization(),
  };
  return {
    versions: createOriginClient({ ...settings, deadlineMs: versionDeadlineMs }),
    further: createOriginClient({ ...settings, deadlineMs: furtherDeadlineMs }),
  };
};
