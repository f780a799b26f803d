import { refuseInvalid } from '../errors.ts';
import type { Ecosystem } from '../packages/ecosystem.ts';
import { type PackageId, toPackageKey, toVersionKey } from '../packages/package-id.ts';

/** Where an acceptance holds: everywhere, or where a part of what names a version is given. */
export interface AcceptanceScope {
  readonly ecosystem: Ecosystem | null;
  /** Never without an ecosystem. */
  readonly name: string | null;
  /** Never without a name. */
  readonly version: string | null;
}

/** That one vulnerability is lived with until a moment. */
export interface Acceptance extends AcceptanceScope {
  /** An id of the vulnerability, in upper case. */
  readonly id: string;
  /** Counts the acceptances of that id, from 1. */
  readonly number: number;
  readonly reason: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly by: string | null;
  readonly token_label: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** What identifies an acceptance: the vulnerability's id, and its number among the acceptances of that id. */
export type AcceptanceName = Pick<Acceptance, 'id' | 'number'>;

export const acceptanceEnds = ['expired', 'withdrawn'] as const;

/** How an acceptance ended: by itself, or taken back. */
export interface AcceptanceEnd {
  readonly how: (typeof acceptanceEnds)[number];
  /** ISO 8601. */
  readonly at: string;
  readonly by: string | null;
  readonly token_label: string | null;
  readonly reason: string | null;
}

/** The longest that a vulnerability may be accepted for: a year, also one with a leap day. */
export const maxAcceptanceDays = 366;

const dayMs = 24 * 60 * 60_000;

/**
 * Until when an acceptance holds that is made now.
 * @throws {RegistryError} `validation_failed` where it would hold for no time, or for longer than a year
 */
export const checkAcceptanceExpiry = (expiresAt: string, now: Date): void => {
  const at = new Date(expiresAt);
  if (at <= now) throw refuseInvalid('expires_at', 'must be in the future');
  if (at.getTime() > now.getTime() + maxAcceptanceDays * dayMs) {
    throw refuseInvalid(
      'expires_at',
      `must be within ${maxAcceptanceDays} days: accept it again when that is over`,
    );
  }
};

/** What the keys of the versions in a scope begin with; of one version, its whole key. */
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

/** Whether an acceptance reaches beyond one package. */
export const isGlobal = ({ name }: AcceptanceScope): boolean => name === null;

/** The one version that an acceptance is for, if it is for one. */
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
