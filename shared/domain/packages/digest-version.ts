/** True if the version of an image is a digest, and not a tag. No tag has a colon, and digests have no order. */
export const isDigestVersion = (version: string): boolean => version.startsWith('sha256:');
