import { settledMs } from '../../domain/packages/settled.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import type { OriginClient } from '../../ecosystems/origin-client.ts';
import type { SubmissionRequest } from '../../platform/worker/events/submission-request.ts';
import { findVersion } from '../../storage/packages/write-version.ts';
import { findKnownVersions } from './known-versions.ts';
import { type AgeRules, findSettledBefore } from './settled-before.ts';
import { NotSubmittedError } from './submission-limits.ts';

/** Request for one version. */
export type RequestedVersion = SubmissionRequest & Pick<PackageId, 'version'>;

/** What the choice of a version depends on. */
export interface UpstreamSettings {
  readonly client: Pick<OriginClient, 'listReleases'>;
  readonly ages: AgeRules;
  readonly now: Date;
}
