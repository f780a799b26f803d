import type { LicenseDeclaration } from '../facts/facts.ts';
import { compareStatuses, type GivenStatus } from './license-status.ts';

/** License that a submission or a package states, with its status in the organisation. */
export interface StatedLicense {
  /** License text as stated. */
  readonly text: string;
  /** Normalized SPDX expression; null if the text has none. */
  readonly normalized: string | null;
  readonly status: GivenStatus;
}

/** True if two statements have the same SPDX expression, or the same text without an SPDX expression. */
export const isSameLicense = (one: StatedLicense, other: StatedLicense): boolean =>
  (one.normalized ?? one.text) === (other.normalized ?? other.text);

/** Possible sources of the effective license. */
export const licenseSources = ['submitted', 'upstream'] as const;
export type LicenseSource = (typeof licenseSources)[number];

/** License that applies in issues, rules and settings. `text` is null if the package declares an unreadable license. */
export interface EffectiveLicense {
  readonly source: LicenseSource;
  readonly text: string | null;
  readonly normalized: string | null;
  /** An unreadable license satisfies no condition. */
  readonly status: GivenStatus;
}

/** Submitted, upstream and effective license of a version. */
export interface LicenseEvidence {
  /** Null if the submission names none. */
  readonly submitted: StatedLicense | null;
  /** Whether the package declares a license, and a readable one. */
  readonly upstream_declaration: LicenseDeclaration;
  /** Null if the package declares no readable license, or its declaration is unknown. */
  readonly upstream: StatedLicense | null;
  /** Null if neither the submission nor the package names a license. */
  readonly effective: EffectiveLicense | null;
}

const unreadable: EffectiveLicense = {
  source: 'upstream',
  text: null,
  normalized: null,
  status: 'unreadable',
};

/**
 * Returns the effective license: the package's own declaration by default. The submitted license applies only if the
 * package declares none or if its status is worse. An unreadable declaration never falls back to the submitted license.
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

/** Combines the submitted license and the package's own declaration into the license evidence of a version. */
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
