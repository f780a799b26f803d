import type { FactsSummary } from '../../domain/facts/summary.ts';
import {
  type LicenseEvidence,
  type StatedLicense,
  toLicenseEvidence,
} from '../../domain/licenses/effective-license.ts';
import type { LicenseRecord } from '../../domain/licenses/license-record.ts';
import { parseLicense } from '../../domain/licenses/parse-license.ts';
import { hasForeignLetters, isReadableLicense } from '../../domain/licenses/readable-license.ts';
import { findEachLicense } from './find-license.ts';

/** Submitted license of a version, and its upstream metadata with the declared license. */
export interface LicenseStatements {
  readonly license: string | null;
  readonly facts: FactsSummary | null;
}

/** Returns the license evidence of one of the looked-up versions. */
export type LicenseLookup = (version: LicenseStatements) => LicenseEvidence;

const toStated = (text: string, record: LicenseRecord | undefined): StatedLicense => {
  if (record) return { text, normalized: record.normalized, status: record.status };
  return { text, normalized: null, status: hasForeignLetters(text) ? 'unreadable' : 'unreviewed' };
};

/** Interpreted licenses by their texts. Texts that are no license are left out. */
export type StatedLicenses = ReadonlyMap<string, StatedLicense>;

/** Returns the interpreted licenses of some texts. All lookups share one batch of reads. */
const findStated = async (texts: readonly string[]): Promise<StatedLicenses> => {
  const readable = texts.filter(isReadableLicense).flatMap((text) => {
    const expression = parseLicense(text);
    return expression ? [{ text, expression }] : [];
  });
  const expressions = readable.map(({ expression }) => expression);
  const records = expressions.length > 0 ? await findEachLicense(expressions) : [];
  return new Map(readable.map(({ text }, at) => [text, toStated(text, records[at])]));
};

/** Returns the interpreted license of a submission. Callers can load upstream metadata in parallel. */
export const findSubmittedLicense = (license: string | null): Promise<StatedLicenses> =>
  findStated(license === null ? [] : [license]);

/**
 * Returns a lookup of license evidence for these versions, by the organisation's current license decisions. All versions
 * share one batch of reads; licenses in `known` are not read again.
 */
export const findLicenseEvidence = async (
  versions: readonly LicenseStatements[],
  known: StatedLicenses = new Map(),
): Promise<LicenseLookup> => {
  const texts = versions.flatMap(({ license, facts }) => [license, facts?.license_statement]);
  const unknown = [...new Set(texts)]
    .filter((text) => typeof text === 'string')
    .filter((text) => !known.has(text));
  const stated = new Map([...known, ...(await findStated(unknown))]);
  const find = (text: string | null | undefined): StatedLicense | null =>
    typeof text === 'string'
      ? (stated.get(text) ?? { text, normalized: null, status: 'unreadable' })
      : null;
  return ({ license, facts }) =>
    toLicenseEvidence(
      find(license),
      find(facts?.license_statement),
      facts?.license_declaration ?? 'unknown',
    );
};
