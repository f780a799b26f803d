import type { PendingSignIn, SignInTokens } from '../../shared/api/client/sign-in.ts';
import type { SignInSettings } from '../../shared/domain/identity/trusted-issuer.ts';

/** The tokens of an account. They are JSON, for the browser's storage and for other tabs. */
export interface AccountTokens extends SignInTokens, SignInSettings {
  /** Duration before the expiry in which the console renews the tokens before a request, in milliseconds. */
  readonly marginMs: number;
}

/** A sign-in at the provider that is not finished, with the view to return to. */
export interface PendingAccount extends PendingSignIn, SignInSettings {
  readonly hash: string;
}
