/** Name and version of an image, as used to pull the image. */
export interface ImageReference {
  readonly name: string;
  /** The digest if the reference has one, else the tag. A pull by digest ignores the tag. */
  readonly version: string;
  /** The tag of a reference that also has a digest. */
  readonly tag: string | undefined;
}

/** Splits an image reference such as `node:22@sha256:…`. Without a tag and digest, the version is `latest`. */
export const readImageReference = (reference: string): ImageReference => {
  const [named = '', digest] = reference.split('@', 2);
  const [, name = named, tag] = /^(.*?)(?::([^/:]*))?$/.exec(named) ?? [];
  const version = digest ?? tag ?? 'latest';
  return { name, version, tag: digest === undefined ? undefined : tag };
};

/** Returns a reference with a digest after its tag, and its text as written: `node` becomes `node:latest@sha256:…`. */
export const addDigest = (reference: string, digest: string): string =>
  `${reference}${/:[^/]*$/.test(reference) ? '' : ':latest'}@${digest}`;
