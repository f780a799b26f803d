import { longestIdentity } from '../../util/characters.ts';
import { findAlikeLabels } from '../tokens/given-name.ts';
import { isReservedName } from '../tokens/reserved-name.ts';
import { type Scope, scopes } from '../tokens/scope.ts';
import { isTokenLabel } from '../tokens/token-label.ts';
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

/** Returns the label of a holder; undefined if the claim is missing, unverified or unfit as a label. */
const readLabel = ({ label, holders }: TrustedIssuer, claims: Claims): string | undefined => {
  const { claim, prefix } = label;
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (typeof value !== 'string') return undefined;
  // A provider may let people enter any address.
  const isUnverified =
    claim === 'email' &&
    Object.hasOwn(claims, 'email_verified') &&
    toText(claims['email_verified']) !== 'true';
  if (isUnverified) return undefined;
  // The path of a repository has slashes, which no label of the list has.
  const core = holders === 'jobs' ? value.replaceAll('/', '-') : value;
  const whole = `${prefix}${value}`;
  const isFit = isTokenLabel(core) && value === value.trim() && whole.length <= longestIdentity;
  return isFit ? whole : undefined;
};

/**
 * Returns the label and the scopes of the holder of a verified ID token. A label that looks like the registry's own names, or
 * like a label of the token list, is refused.
 */
export const findHolder = (
  issuer: TrustedIssuer,
  claims: Claims,
  labels: readonly string[],
): Holder => {
  const granted = grantScopes(issuer.rules, claims);
  if (granted.length === 0) return { refusal: explainNoRule(issuer.rules, claims) };
  const { claim } = issuer.label;
  const label = readLabel(issuer, claims);
  if (label === undefined) {
    return { refusal: `Its claim ${claim} is missing, not verified, or not fit as a label.` };
  }
  if (isReservedName(label) || findAlikeLabels(label, labels).length > 0) {
    return {
      refusal: `Its claim ${claim} is or looks like a reserved name, or the label of a token in the list. An operator can give that token another label.`,
    };
  }
  return { label, scopes: granted };
};
