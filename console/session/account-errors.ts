/** The fields of an answer with which a provider refuses. */
interface Refusal {
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

const longestReason = 300;

const toSentence = (text: string): string => `${text.slice(0, longestReason).replace(/\.+$/, '')}.`;

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'error' in error && typeof error.error === 'string';

/** Returns true if no answer arrived. Browsers give no further reason. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

const isStorageBlocked = (error: unknown): boolean =>
  error instanceof DOMException && ['SecurityError', 'QuotaExceededError'].includes(error.name);

/** Returns the message for a refusal of the provider. Its reason is text of the provider. */
export const describeRefusal = ({ error, error_description }: Refusal, issuer: string): string => {
  const reason = error_description || error || 'it gave no reason';
  return `${issuer} did not sign you in: ${toSentence(reason)} Try again, or ask the operators of the registry.`;
};

/** Returns the message for a sign-in that failed. */
export const describeFailure = (error: unknown, issuer: string): string => {
  if (isRefusal(error)) return describeRefusal(error, issuer);
  if (isStorageBlocked(error)) {
    return 'This browser blocks the storage that a sign-in with an account needs. Allow it for this page and try again.';
  }
  if (isUnreachable(error)) {
    return `${issuer} cannot be reached, so nobody can sign in with an account now. Try again later.`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `The answer of ${issuer} to the sign-in is not valid: ${toSentence(reason)} Try again, or ask the operators of the registry.`;
};

/** Returns the message for a session that could not be renewed. Undefined as error: nothing renews it. */
export const describeEnd = (error: unknown, issuer: string): string => {
  if (error === undefined) return 'Your sign-in has expired. Sign in again.';
  if (isRefusal(error)) return `${issuer} no longer renews your sign-in. Sign in again.`;
  return isUnreachable(error)
    ? `${issuer} cannot be reached, so your sign-in could not be renewed. Sign in again later.`
    : describeFailure(error, issuer);
};
