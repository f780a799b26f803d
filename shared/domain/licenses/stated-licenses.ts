import { listTerms } from './expression.ts';
import {
  applyNormalization,
  parseNormalization,
  type StoredNormalization,
  toNormalizedKey,
} from './normalization.ts';
import { isPointer, longestLicense } from './readable-license.ts';

/** License texts of a version, each with its normalization. */
interface LicenseTexts {
  readonly license?: string | null;
  readonly normalization?: StoredNormalization;
  readonly facts?: { readonly license_statement?: string | null } | null;
  readonly upstream_normalization?: StoredNormalization;
}

/** Maximum number of licenses by which lists have a version. */
const mostLicenses = 5;

const listKeys = (text: string | null | undefined, stored: StoredNormalization): string[] => {
  const tree =
    typeof text === 'string' && !isPointer(text) ? parseNormalization(text, stored) : undefined;
  return tree ? listTerms(applyNormalization(tree)).map(toNormalizedKey) : [];
};

/**
 * Returns the storage keys of the licenses that a version states, as submitted and upstream: the first 5 in the order of
 * the texts.
 */
export const listStatedLicenses = (version: LicenseTexts): string[] => {
  const { license, normalization, facts, upstream_normalization } = version;
  const keys = [
    ...listKeys(license, normalization),
    ...listKeys(facts?.license_statement, upstream_normalization),
  ];
  // A longer text is no name of a license, and might not fit into a key.
  const names = keys.filter(({ length }) => length <= longestLicense);
  return [...new Set(names)].slice(0, mostLicenses);
};
