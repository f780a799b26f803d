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

/** What a version's license is stated by: its submission, and what is known of the package itself. */
export interface LicenseStatements {
  readonly license: string | null;
  readonly facts: FactsSummary | null;
}

/** The license of each of the versions that were looked up. */
export type LicenseLookup = (version: LicenseStatements) => LicenseEvidence;

const toStated = (text: string, record: LicenseRecord | undefined): StatedLicense => {
  if (record) return { text, normalized: record.reading, status: record.status };
  return { text, normalized: null, status: hasForeignLetters(text) ? 'unreadable' : 'unreviewed' };
};

/** What licenses come to, by the texts that state them. Without a text that is no license: it is known to nobody. */
export type StatedLicenses = ReadonlyMap<string, StatedLicense>;

/** Looks up all texts together, each once. */
const findStated = async (texts: readonly string[]): Promise<StatedLicenses> => {
  const readable = texts.filter(isReadableLicense).flatMap((text) => {
    const expression = parseLicense(text);
    return expression ? [{ text, expression }] : [];
  });
  const expressions = readable.map(({ expression }) => expression);
  const records = expressions.length > 0 ? await findEachLicense(expressions) : [];
  return new Map(readable.map(({ text }, at) => [text, toStated(text, records[at])]));
};

/** Looks up a submitted license, while others look up what the package itself declares. */
export const findSubmittedLicense = (license: string | null): Promise<StatedLicenses> =>
  findStated(license === null ? [] : [license]);

/**
 * Looks up the licenses of some versions by what the organisation thinks of them at this moment, with as few reads as all
 * of them together take: none for those that are `known` already. The lookup answers for these versions alone.
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
