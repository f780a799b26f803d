import { findKnownLicense } from '../catalogue.ts';
import { formatLicense, isCombination, type LicenseExpression, listTerms } from '../expression.ts';
import { parseLicense } from '../parse-license.ts';
import { readExpression, showNormalization } from './normalize-expression.ts';
import { noAssertion } from './normalize-name.ts';

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

const listUnknown = (tree: LicenseExpression): string[] => {
  const names = listTerms(tree).map(({ license }) => license);
  const unknown = names.filter((name) => !findKnownLicense(name));
  return [...new Set(unknown)].filter((name) => !isPartial(tree) || name !== noAssertion);
};

const explain = (written: LicenseExpression, read: LicenseExpression): string | null => {
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
export const explainLicense = (license: string | null): NormalizedLicense => {
  if (license === null) return { license_normalized: null, license_note: null };
  const written = parseLicense(license);
  if (!written) {
    const license_note = `${license} is not a valid license expression: its status is unreviewed, and an approval needs an override.`;
    return { license_normalized: null, license_note };
  }
  const read = readExpression(written);
  return { license_normalized: showNormalization(read), license_note: explain(written, read) };
};
