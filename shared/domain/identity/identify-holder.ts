import { toSkeleton } from '../packages/look-alikes.ts';
import { findAlikeLabels } from '../tokens/given-name.ts';
import { isReservedName } from '../tokens/reserved-name.ts';
import { type Scope, scopes } from '../tokens/scope.ts';
import { isTokenLabel } from '../tokens/token-label.ts';
import { isJobLabel, jobPrefix } from './job-label.ts';
import type { Claims, IdentityRule, TrustedIssuer } from './trusted-issuer.ts';

/** Holder of a verified ID token, by the rules of its issuer; or the reason why the registry refuses the token. */
export type Holder =
  | { readonly label: string; readonly scopes: readonly Scope[] }
  | { readonly refusal: string };

const toText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
};

/** Returns the values of a claim as texts; empty for an absent claim, and for other types. */
const listValues = (claims: Claims, name: string): string[] => {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return (Array.isArray(value) ? value : [value]).flatMap((one) => toText(one) ?? []);
};

const meets = ({ if: conditions }: IdentityRule, claims: Claims): boolean =>
  Object.entries(conditions).every(([name, accepted]) =>
    listValues(claims, name).some((value) => accepted.includes(value)),
  );

/**
 * Returns the scopes of all rules that the claims meet. No rule takes a scope away, so a missing claim never adds one.
 */
const grantScopes = (rules: readonly IdentityRule[], claims: Claims): readonly Scope[] => {
  const granted = new Set(rules.flatMap((rule) => (meets(rule, claims) ? rule.scopes : [])));
  return scopes.filter((scope) => granted.has(scope));
};

const explainNoRule = (rules: readonly IdentityRule[], claims: Claims): string => {
  const names = [...new Set(rules.flatMap((rule) => Object.keys(rule.if)))];
  const missing = names.filter((name) => listValues(claims, name).length === 0);
  const hint = missing.length > 0 ? ` The token does not have ${missing.join(', ')}.` : '';
  return `No rule of this registry gives it a scope. The rules look at ${names.join(', ')}.${hint}`;
};

/** True if a claim can be the label of a person. Labels that look like those of jobs are refused. */
const isPersonLabel = (value: string, claim: string): boolean =>
  isTokenLabel(value) &&
  value === value.trim().normalize('NFKC') &&
  !toSkeleton(value).startsWith(toSkeleton(jobPrefix)) &&
  // Other letters could make two addresses look alike.
  (claim !== 'email' || /^[!-~]+$/.test(value));

/** True if a provider says that it did not verify an address: it may let people enter any. */
const isUnverified = (claim: string, claims: Claims): boolean =>
  claim === 'email' &&
  Object.hasOwn(claims, 'email_verified') &&
  toText(claims['email_verified']) !== 'true';

/** Returns the label of a holder; undefined if the claim is missing, unverified or unfit as a label. */
const readLabel = ({ label, holders }: TrustedIssuer, claims: Claims): string | undefined => {
  const { claim, prefix } = label;
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (typeof value !== 'string' || isUnverified(claim, claims)) return undefined;
  if (holders === 'jobs') return isJobLabel(`${prefix}${value}`) ? `${prefix}${value}` : undefined;
  // Most mail systems ignore the case, so two cases are one person.
  const person = claim === 'email' ? value.toLowerCase() : value;
  return isPersonLabel(person, claim) ? person : undefined;
};

/**
 * Returns the label and the scopes of the holder of a verified ID token. A label that looks like the registry's own names, or
 * like a label of the token list, is refused.
 */
export const identifyHolder = (
  issuer: TrustedIssuer,
  claims: Claims,
  labels: readonly string[],
): Holder => {
  const granted = grantScopes(issuer.rules, claims);
  if (granted.length === 0) return { refusal: explainNoRule(issuer.rules, claims) };
  const { claim } = issuer.label;
  const label = readLabel(issuer, claims);
  if (label === undefined) {
    return {
      refusal: `Its label, the claim ${claim}, is missing, not verified, or has characters that a label must not have.`,
    };
  }
  if (isReservedName(label) || findAlikeLabels(label, labels).length > 0) {
    return {
      refusal: `Its label, the claim ${claim}, is reserved: it resembles a name of the registry itself, or the label of a token in the list. An operator can revoke that token or change its label.`,
    };
  }
  return { label, scopes: granted };
};
