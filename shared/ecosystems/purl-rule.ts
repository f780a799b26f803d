/** The parts of a package URL, without escapes. */
export interface PurlParts {
  readonly type: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly version: string | undefined;
  readonly qualifiers: URLSearchParams;
}

/** How one type of package URL writes the names and versions of its ecosystem. */
export interface PurlRule {
  readonly toName: (parts: PurlParts) => string;
  readonly toVersion: (parts: PurlParts) => string | undefined;
}

/** By type of package URL (package-url/purl-spec, PURL-TYPES). */
export type PurlRules = Readonly<Record<string, PurlRule>>;

/** Joins the parts of a name that are there. */
export const joinNames = (separator: string, ...names: readonly (string | undefined)[]): string =>
  names.filter(Boolean).join(separator);

/** Returns the version of a package URL as it is. */
export const toWrittenVersion = ({ version }: PurlParts): string | undefined => version;
