import { findKnownLicense } from '../catalogue.ts';
import { formatLicense, isCombination, type LicenseExpression, listTerms } from '../expression.ts';
import { parseLicense } from '../parse-license.ts';
import { readExpression, showReading } from './normalize-expression.ts';
import { noAssertion } from './normalize-name.ts';

/** How a license is understood, whatever an organisation thinks of it. */
export interface LicenseReading {
  /** The SPDX expression that it reads as; null if it is none and cannot be read. */
  readonly license_reading: string | null;
  /** What people should know of that; null if it says what it is. */
  readonly license_note: string | null;
}

/** Whether words of a longer text could not be read; what says no more than that is a name like others. */
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
      : [`It reads as ${formatLicense(read)}.`]),
    ...(isPartial(read)
      ? ['The rest of it cannot be read, which makes it unreviewed at best.']
      : []),
    ...unknown.map(
      (name) =>
        `${name} cannot be read as a license: it is unreviewed, unless the organisation has decided on this name.`,
    ),
  ];
  return sentences.join(' ') || null;
};

/** How the license of a package reads, for whoever submits, shows or decides on it. */
export const explainLicense = (license: string | null): LicenseReading => {
  if (license === null) return { license_reading: null, license_note: null };
  const written = parseLicense(license);
  if (!written) {
    const license_note = `${license} is no valid license expression: it is unreviewed, and an approval needs an override.`;
    return { license_reading: null, license_note };
  }
  const read = readExpression(written);
  return { license_reading: showReading(read), license_note: explain(written, read) };
};
