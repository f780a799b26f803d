/** What an image is pulled by. */
export interface ImageReference {
  readonly name: string;
  /** The digest where there is one: that is what is pulled, whatever tag stands beside it. Else the tag. */
  readonly version: string;
  /** The tag beside a digest. */
  readonly tag: string | undefined;
}

/** `node:22@sha256:…` in its parts. What names neither tag nor digest means the tag `latest`. */
export const readImageReference = (reference: string): ImageReference => {
  const [named = '', digest] = reference.split('@', 2);
  const [, name = named, tag] = /^(.*?)(?::([^/:]*))?$/.exec(named) ?? [];
  const version = digest ?? tag ?? 'latest';
  return { name, version, tag: digest === undefined ? undefined : tag };
};
