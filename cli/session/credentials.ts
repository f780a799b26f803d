import type { JobTokenSource } from './environment.ts';

/** What identifies the caller, with its source for messages. */
export type Credential =
  /** A token of the registry's list. */
  | { readonly kind: 'token'; readonly source: string; readonly value: string }
  /** A sign-in of a person, whose ID token `read` returns. */
  | { readonly kind: 'sign_in'; readonly source: string; readonly read: () => Promise<string> }
  /** The ID token of a CI job. A registry may accept none. */
  | { readonly kind: 'job'; readonly source: string; readonly job: JobTokenSource };

/** The credentials of a session. */
export interface Credentials {
  /** Returns the credentials by precedence; the first is in use. The one of a CI job counts until `dropJob`. */
  readonly list: () => readonly Credential[];
  /** The CI job without an ID token, whose caller should learn the reason; undefined if there is another credential. */
  readonly lacking: JobTokenSource | undefined;
  /** Removes the credential of a CI job: the registry accepts none. */
  readonly dropJob: () => void;
}

/** Returns the credentials of a session. `lacking` is the CI job that has no ID token. */
export const createCredentials = (
  candidates: readonly Credential[],
  lacking?: JobTokenSource,
): Credentials => {
  let left = candidates;
  return {
    list: () => left,
    lacking: candidates.length === 0 ? lacking : undefined,
    dropJob: () => {
      left = left.filter(({ kind }) => kind !== 'job');
    },
  };
};

/** Returns the credential in use; undefined without any. */
export const findCredential = ({ list }: Credentials): Credential | undefined => list()[0];

/** Returns the header of a request that is shown, without its secret. */
export const showAuthorization = (credentials: Credentials): Readonly<Record<string, string>> => {
  const credential = findCredential(credentials);
  if (!credential) return {};
  const from = `(from ${credential.source})`;
  return credential.kind === 'token' ? { 'X-API-Key': from } : { Authorization: `Bearer ${from}` };
};
