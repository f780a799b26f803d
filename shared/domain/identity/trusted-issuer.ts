import type { Scope } from '../tokens/scope.ts';

/** File with the trusted issuers, beside a function's code. */
export const trustedIssuersFile = 'trusted-issuers.json';

/** Claims of a verified ID token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Rule that gives scopes to the holder of an ID token. */
export interface IdentityRule {
  /** Accepted values by claim. Each claim must have one of its values; a claim with a list needs one in common. */
  readonly if: Readonly<Record<string, readonly string[]>>;
  readonly scopes: readonly Scope[];
}

/** Issuer of ID tokens that the registry accepts, with the rules for their holders. */
export interface TrustedIssuer {
  /** The exact value of the claim `iss`. */
  readonly issuer: string;
  /** Who holds its ID tokens. */
  readonly holders: 'people' | 'jobs';
  /** Accepted values of the claim `aud`. */
  readonly audiences: readonly string[];
  /** Claim with the label, and the text in front of it. */
  readonly label: { readonly claim: string; readonly prefix: string };
  readonly rules: readonly IdentityRule[];
}

/** Where people sign in with the company's account. */
export interface SignInSettings {
  readonly issuer: string;
  readonly client_id: string;
}

/** The trusted issuers of a deployment. Without any, the registry accepts tokens of its list only. */
export interface TrustedIssuers {
  readonly signIn: SignInSettings | null;
  /** Audience of ID tokens of CI jobs; null if no job has an ID token. */
  readonly jobAudience: string | null;
  readonly issuers: readonly TrustedIssuer[];
}
