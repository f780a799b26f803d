import type { LicenseDeclaration } from '../facts/facts.ts';
import { compareStatuses, type StatedStatus } from './status.ts';

/** A license as a submission or a package states it, and what the organisation thinks of it. */
export interface StatedLicense {
  /** As it was written. */
  readonly text: string;
  /** The SPDX expression that it means; null where there is none. */
  readonly normalized: string | null;
  readonly status: StatedStatus;
}

/** True if two statements mean one license, or are one text that SPDX has no expression for. */
export const isSameLicense = (one: StatedLicense, other: StatedLicense): boolean =>
  (one.normalized ?? one.text) === (other.normalized ?? other.text);

/** Who states the license that counts. */
export const licenseSources = ['submitted', 'upstream'] as const;
export type LicenseSource = (typeof licenseSources)[number];

/** The license that counts for issues, rules and settings; without text where the package declares an unreadable one. */
export interface EffectiveLicense {
  readonly source: LicenseSource;
  readonly text: string | null;
  readonly normalized: string | null;
  /** An unreadable license satisfies no condition. */
  readonly status: StatedStatus;
}

/** What is known of a version's license. */
export interface LicenseEvidence {
  /** Null where the submission names none. */
  readonly submitted: StatedLicense | null;
  /** Whether the package itself declares one. */
  readonly upstream_declaration: LicenseDeclaration;
  /** Null where the package declares none that is readable, as far as is known. */
  readonly upstream: StatedLicense | null;
  /** Null where neither names a license. */
  readonly effective: EffectiveLicense | null;
}

const unreadable: EffectiveLicense = {
  source: 'upstream',
  text: null,
  normalized: null,
  status: 'unreadable',
};

/**
 * Chooses the license that counts: what the package declares; the submitted license only where the package declares
 * none, or where the organisation thinks worse of it. An unreadable declaration never falls back to the submitted one.
 */
const chooseEffective = (
  submitted: StatedLicense | null,
  upstream: StatedLicense | null,
  declaration: LicenseDeclaration,
): EffectiveLicense | null => {
  if (declaration === 'unreadable') return unreadable;
  if (upstream && (!submitted || compareStatuses(submitted.status, upstream.status) <= 0)) {
    return { source: 'upstream', ...upstream };
  }
  return submitted && { source: 'submitted', ...submitted };
};

/** Brings together what a submission and the package itself say of a version's license. */
export const toLicenseEvidence = (
  submitted: StatedLicense | null,
  stated: StatedLicense | null,
  declaration: LicenseDeclaration,
): LicenseEvidence => {
  const isUnreadable = declaration === 'readable' && stated?.status === 'unreadable';
  const upstream_declaration = isUnreadable ? 'unreadable' : declaration;
  const upstream = isUnreadable ? null : stated;
  return {
    ...{ submitted, upstream_declaration, upstream },
    effective: chooseEffective(submitted, upstream, upstream_declaration),
  };
};
