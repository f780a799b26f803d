/** Returns the `type` of a problem: a URN, not a web address. `title` and `detail` explain the problem. */
export const problemType = (code: string): string => `urn:problem-type:package-registry:${code}`;

export const problemContentType = 'application/problem+json';
