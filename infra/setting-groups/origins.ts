import { DEFAULT_MIRROR_URL } from '@sigstore/tuf';
import type { Ecosystem } from '../../shared/ecosystems/ecosystem.ts';
import { originAddresses } from '../origin-addresses.ts';
import { arn, file, flag, httpUrl, positive, urlOrNone } from '../setting-kinds.ts';

/** The upstream registry of each ecosystem, or its mirror. */
const originUrls = Object.fromEntries(
  Object.entries(originAddresses()).map(([one, address]) => [
    `${one}Url`,
    httpUrl.default(address),
  ]),
) as Record<`${Ecosystem}Url`, ReturnType<typeof httpUrl.default>>;

/** Settings of upstream metadata. */
export const originSettings = {
  /** The JSON file with the image registries that may be requested, relative to the project's folder. */
  imageRegistries: file.default('infra/image-registries.json'),
  /** The secret with the accounts at origins, mirrors and image registries, by their hosts. A role is granted the ARN, so it has no wildcard. */
  upstreamSecretArn: arn(
    'secretsmanager:[a-z0-9-]+:\\d{12}:secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}',
    'a Secrets Manager secret, with the six characters at its end',
  ).optional(),
  /** Whether workers collect upstream metadata of versions from npm, PyPI, Maven Central and image registries. */
  collectFacts: flag.default(true),
  ...originUrls,
  originTimeoutMs: positive('milliseconds')
    .refine((ms) => ms <= 20_000, { error: 'must be at most 20000 milliseconds' })
    .default(10_000),
  /** The interval in hours at which upstream metadata of a version is refreshed. */
  factsHours: positive('hours').default(168),
  /** The TUF repository with the trusted root of Sigstore, which is refreshed daily; or `none`. */
  trustedRootUrl: urlOrNone.default(DEFAULT_MIRROR_URL),
};
