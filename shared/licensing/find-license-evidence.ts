import type { FactsSummary } from '../domain/facts/summary.ts';
import {
  type LicenseEvidence,
  type StatedLicense,
  toLicenseEvidence,
} from '../domain/licenses/effective-license.ts';
import type { LicenseRecord } from '../domain/licenses/license-record.ts';
import { parseLicense } from '../domain/licenses/parse-license.ts';
import { hasForeignLetters, isReadableLicense } from '../domain/licenses/readable-license.ts';
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

/** Looks up all texts together, each once. Without a text that is no license: it is known to nobody. */
const findStated = async (
  texts: readonly string[],
): Promise<ReadonlyMap<string, StatedLicense>> => {
  const readable = texts.filter(isReadableLicense).flatMap((text) => {
    const expression = parseLicense(text);
    return expression ? [{ text, expression }] : [];
  });
  const expressions = readable.map(({ expression }) => expression);
  const records = expressions.length > 0 ? await findEachLicense(expressions) : [];
  return new Map(readable.map(({ text }, at) => [text, toStated(text, records[at])]));
};

/**
 * Looks up the licenses of some versions by what the organisation thinks of them at this moment, with as few reads as all
 * of them together take. The lookup answers for these versions alone.
 */
export const findLicenseEvidence = async (
  versions: readonly LicenseStatements[],
): Promise<LicenseLookup> => {
  const texts = versions.flatMap(({ license, facts }) => [license, facts?.license_statement]);
  const stated = await findStated([...new Set(texts)].filter((text) => typeof text === 'string'));
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
