import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { dayMs } from '../../util/duration.ts';
import { refuseInvalid } from '../errors.ts';
import { type PackageId, toPackageKey, toVersionKey } from '../packages/package-id.ts';

/** Scope of a risk acceptance. Null fields match everything. */
export interface AcceptanceScope {
  readonly ecosystem: Ecosystem | null;
  /** Requires an ecosystem. */
  readonly name: string | null;
  /** Requires a name. */
  readonly version: string | null;
}

/** Risk acceptance of one vulnerability, with an expiry date. */
export interface Acceptance extends AcceptanceScope {
  /** Id of the vulnerability, in upper case. */
  readonly id: string;
  /** Sequence number among the acceptances of that id, from 1. */
  readonly number: number;
  readonly reason: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly by: string | null;
  readonly token_label: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** Identity of a risk acceptance: the vulnerability's id and the sequence number. */
export type AcceptanceName = Pick<Acceptance, 'id' | 'number'>;

export const acceptanceEnds = ['expired', 'withdrawn'] as const;

/** End of a risk acceptance. */
export interface AcceptanceEnd {
  readonly how: (typeof acceptanceEnds)[number];
  /** ISO 8601. */
  readonly at: string;
  readonly by: string | null;
  readonly token_label: string | null;
  readonly reason: string | null;
}

/** Maximum duration of a risk acceptance in days: a year, including a leap day. */
export const maxAcceptanceDays = 366;

/**
 * Checks the expiry date of a new risk acceptance.
 * @throws {RegistryError} `validation_failed` if it is in the past or more than `maxAcceptanceDays` away
 */
export const checkAcceptanceExpiry = (expiresAt: string, now: Date): void => {
  const at = new Date(expiresAt);
  if (at <= now) throw refuseInvalid('expires_at', 'must be in the future');
  if (at.getTime() > now.getTime() + maxAcceptanceDays * dayMs) {
    throw refuseInvalid(
      'expires_at',
      `must be within ${maxAcceptanceDays} days; accept it again after that`,
    );
  }
};

/** Returns the prefix of all version keys in a scope; for one version, its whole key. */
export const toScopePrefix = ({ ecosystem, name, version }: AcceptanceScope): string => {
  if (ecosystem === null) return '';
  if (name === null) return `${ecosystem}#`;
  if (version === null) return `${toPackageKey(ecosystem, name)}#`;
  return toVersionKey({ ecosystem, name, version });
};

export const isInScope = (scope: AcceptanceScope, id: PackageId): boolean => {
  const key = toVersionKey(id);
  const prefix = toScopePrefix(scope);
  return scope.version === null ? key.startsWith(prefix) : key === prefix;
};

/** True if a risk acceptance covers more than one package. */
export const isGlobal = ({ name }: AcceptanceScope): boolean => name === null;

/** Returns the version of a scope that covers exactly one version, otherwise undefined. */
export const findOnlyVersion = ({
  ecosystem,
  name,
  version,
}: AcceptanceScope): PackageId | undefined =>
  ecosystem !== null && name !== null && version !== null
    ? { ecosystem, name, version }
    : undefined;

export const isSameAcceptance = (
  one: Pick<Acceptance, 'id' | 'number'>,
  other: Pick<Acceptance, 'id' | 'number'>,
): boolean => one.id === other.id && one.number === other.number;
