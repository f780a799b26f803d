import {
  formatLicense,
  isCombination,
  type LicenseExpression,
  listTerms,
  noAssertion,
} from './expression.ts';
import {
  applyNormalization,
  type Normalization,
  type NormalizedTerm,
  parseNormalization,
  type StoredNormalization,
  showNormalized,
} from './normalization.ts';

/** Normalized form of a license text, independent of the organisation's decisions. */
export interface NormalizedLicense {
  /** Normalized SPDX expression; null if the text has none. */
  readonly license_normalized: string | null;
  /** Note for people about the normalization; null if there is nothing to add. */
  readonly license_note: string | null;
}

/** True if parts of a longer text were not recognised. A text without any recognised part is an ordinary name. */
const isPartial = (tree: LicenseExpression): boolean =>
  isCombination(tree) && listTerms(tree).some(({ license }) => license === noAssertion);

const listUnknown = (tree: LicenseExpression<NormalizedTerm>): string[] => {
  const unknown = listTerms(tree).flatMap(({ license, isUnknown }) => (isUnknown ? license : []));
  return [...new Set(unknown)].filter((name) => !isPartial(tree) || name !== noAssertion);
};

const explain = (
  written: Normalization,
  read: LicenseExpression<NormalizedTerm>,
): string | null => {
  const unknown = listUnknown(read);
  const sentences = [
    ...(formatLicense(read) === formatLicense(written)
      ? []
      : [`Normalized to ${formatLicense(read)}.`]),
    ...(isPartial(read)
      ? ['Part of the text was not recognised, so its status is unreviewed at best.']
      : []),
    ...unknown.map(
      (name) =>
        `${name} is not a known license: its status is unreviewed unless the organisation decides on this name.`,
    ),
  ];
  return sentences.join(' ') || null;
};

/** Returns the normalized form of a package's license, for display beside the original text. */
export const explainNormalization = (
  license: string | null,
  stored: StoredNormalization,
): NormalizedLicense => {
  if (license === null) return { license_normalized: null, license_note: null };
  const written = parseNormalization(license, stored);
  if (!written) {
    const license_note = `${license} is not a valid license expression: its status is unreviewed, and an approval needs an override.`;
    return { license_normalized: null, license_note };
  }
  const read = applyNormalization(written);
  return { license_normalized: showNormalized(read), license_note: explain(written, read) };
};
