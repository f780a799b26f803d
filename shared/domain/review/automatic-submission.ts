import { formatPackage } from '../packages/format-package.ts';
import type { PackageId } from '../packages/package-id.ts';

/** Why the registry submits a version without a request of the API. */
export const submissionCauses = ['update', 'security_fix', 'dependency', 'install'] as const;
export type SubmissionCause = (typeof submissionCauses)[number];

/** Submission by the registry itself. */
export interface AutomaticSubmission {
  readonly cause: SubmissionCause;
  /** Approved version that an update follows, or version that needs a dependency; null for an install. */
  readonly of: PackageId | null;
  /** IDs of vulnerabilities of the approved version that a security fix ends, at most `mostFixes`. */
  readonly fixes: readonly string[];
  /** Fingerprint of the token that asked for it by an install; null for updates. Internal: never part of a response. */
  readonly fingerprint: string | null;
  /** Version whose submission led to that of a dependency, over any number of others; null for others. Internal. */
  readonly root: string | null;
}

export const mostFixes = 5;

/** Most pending updates by the registry among which a request finds the older ones of a package. */
export const mostPendingUpdates = 1000;

/** Batch of all updates that the registry submits, with their dependencies. */
export const updatesBatch = 'updates';

/** Describes why the registry submitted a version: `security fix of 4.17.20`. */
export const describeAutomatic = ({
  cause,
  of,
}: Pick<AutomaticSubmission, 'cause' | 'of'>): string => {
  switch (cause) {
    case 'update':
      return `update of ${of?.version ?? 'another version'}`;
    case 'security_fix':
      return `security fix of ${of?.version ?? 'another version'}`;
    case 'dependency':
      return `dependency of ${of ? formatPackage(of) : 'another version'}`;
    case 'install':
      return 'asked for by installing';
  }
};

/** Returns the justification of a submission by the registry itself. */
export const describeCause = ({
  cause,
  of,
  fixes,
}: Pick<AutomaticSubmission, 'cause' | 'of' | 'fixes'>): string => {
  const parent = of ? formatPackage(of) : 'another version';
  switch (cause) {
    case 'update':
      return `Update of ${parent}, which is approved.`;
    case 'security_fix':
      return `Security fix: ends ${fixes.join(', ')} of ${parent}, which is approved.`;
    case 'dependency':
      return `Dependency of ${parent}, which the registry submitted.`;
    case 'install':
      return 'Asked for by installing.';
  }
};
