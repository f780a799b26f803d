import type { PendingSignIn, SignInTokens } from '../../shared/api/client/sign-in.ts';
import type { ServiceInfo } from '../../shared/api/schemas/service.ts';

/** Where people sign in, and as which client. */
export type SignInSettings = NonNullable<ServiceInfo['sign_in']>;

/** The tokens of an account. They are JSON, for the browser's storage and for other tabs. */
export interface AccountTokens extends SignInTokens, SignInSettings {
  /** Duration before the expiry in which the console renews the tokens before a request, in milliseconds. */
  readonly marginMs: number;
}

/** A sign-in at the provider that is not finished, with the view to return to. */
export interface PendingAccount extends PendingSignIn, SignInSettings {
  readonly hash: string;
}
