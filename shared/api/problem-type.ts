/** The `type` of a problem: a name, not an address; what it means is in `title` and `detail`. */
export const problemType = (code: string): string => `urn:problem-type:package-registry:${code}`;

export const problemContentType = 'application/problem+json';
