/** Sentences about errors of AWS, for commands of operators. */

const sentences: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'There are no credentials for AWS: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ExpiredToken: 'The credentials for AWS have expired: sign in again.',
  ExpiredTokenException: 'The credentials for AWS have expired: sign in again.',
  InvalidClientTokenId:
    'AWS does not know the credentials: check AWS_PROFILE or AWS_ACCESS_KEY_ID.',
  UnrecognizedClientException:
    'AWS does not know the credentials: check AWS_PROFILE or AWS_ACCESS_KEY_ID.',
};

/** Returns one sentence about an error of AWS that says what to do, or else the message of the error. */
export const describeAwsError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.message === 'Region is missing') {
    return 'No region is set: set AWS_REGION to the region of the stack.';
  }
  return sentences[error.name] ?? error.message;
};

/** Resolves to the answer of AWS. @throws {Error} whose message is one sentence that says what to do */
export const askAws = async <T>(request: () => Promise<T>): Promise<T> => {
  try {
    return await request();
  } catch (error) {
    throw new Error(describeAwsError(error), { cause: error });
  }
};
