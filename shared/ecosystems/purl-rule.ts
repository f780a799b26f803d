/** The decoded parts of a package URL. */
export interface PurlParts {
  readonly type: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly version: string | undefined;
  readonly qualifiers: URLSearchParams;
}

/** Conversion of one package URL type to the names and versions of its ecosystem. */
export interface PurlRule {
  readonly toName: (parts: PurlParts) => string;
  readonly toVersion: (parts: PurlParts) => string | undefined;
}

/** Parts of a package URL that follow from a name. */
export interface PurlName {
  readonly type: string;
  readonly namespace?: string;
  readonly name: string;
  /** Host of an image that is not on Docker Hub. */
  readonly repository?: string;
}

/** Rules by package URL type. Source: PURL-TYPES in package-url/purl-spec. */
export type PurlRules = Readonly<Record<string, PurlRule>>;

/** Joins the non-empty parts of a name. */
export const joinNames = (separator: string, ...names: readonly (string | undefined)[]): string =>
  names.filter(Boolean).join(separator);

/** Splits a name at its last separator. A name without a separator has no namespace. */
export const splitName = (
  separator: string,
  whole: string,
): Pick<PurlName, 'namespace' | 'name'> => {
  const at = whole.lastIndexOf(separator);
  return at < 0
    ? { name: whole }
    : { namespace: whole.slice(0, at), name: whole.slice(at + separator.length) };
};

/** Returns the version of a package URL unchanged. */
export const toWrittenVersion = ({ version }: PurlParts): string | undefined => version;
