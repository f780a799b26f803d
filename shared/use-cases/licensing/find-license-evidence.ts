import type { FactsSummary } from '../../domain/facts/summary.ts';
import { haveSameMeaning } from '../../domain/licenses/compare-normalizations.ts';
import {
  type LicenseEvidence,
  type StatedLicense,
  toLicenseEvidence,
} from '../../domain/licenses/effective-license.ts';
import {
  evaluateNormalization,
  hasException,
  listNormalizedKeys,
} from '../../domain/licenses/evaluate-normalization.ts';
import {
  type Normalization,
  parseNormalization,
  type StoredNormalization,
} from '../../domain/licenses/normalization.ts';
import { hasForeignLetters, isPointer } from '../../domain/licenses/readable-license.ts';
import { findLicenses, type StoredLicenses } from '../../storage/licenses/license-items.ts';

/** Submitted license of a version, with its stored normalization. */
interface SubmittedLicense {
  readonly license: string | null;
  readonly normalization?: StoredNormalization;
}

/** Submitted license of a version, and its upstream metadata with the declared license, each with its normalization. */
export interface LicenseStatements extends SubmittedLicense {
  readonly facts: FactsSummary | null;
  readonly upstream_normalization?: StoredNormalization;
}

/** License text with its stored normalization. */
interface Statement {
  readonly text: string;
  readonly normalization: StoredNormalization;
}

/** Returns the license evidence of one of the looked-up versions. */
export type LicenseLookup = (version: LicenseStatements) => LicenseEvidence;

/** Interpreted licenses by statement. Texts that are no license are left out. */
export type StatedLicenses = ReadonlyMap<string, StatedLicense>;

const toKey = ({ text, normalization }: Statement): string => JSON.stringify([text, normalization]);

const toStatements = (
  text: string | null | undefined,
  normalization: StoredNormalization,
): Statement[] => (typeof text === 'string' ? [{ text, normalization }] : []);

const listSubmitted = ({ license, normalization }: SubmittedLicense): Statement[] =>
  toStatements(license, normalization);

const listDeclared = ({ facts, upstream_normalization }: LicenseStatements): Statement[] =>
  toStatements(facts?.license_statement, upstream_normalization);

const readStoredLicenses = (trees: readonly Normalization[]): Promise<StoredLicenses> =>
  findLicenses(trees.flatMap(listNormalizedKeys), { withPolicy: trees.some(hasException) });

/** Returns the interpreted licenses of some statements. All lookups share one batch of reads. */
const findStated = async (statements: readonly Statement[]): Promise<StatedLicenses> => {
  const readable = statements.flatMap((statement) => {
    const { text, normalization } = statement;
    const tree = isPointer(text) ? undefined : parseNormalization(text, normalization);
    return tree ? [{ key: toKey(statement), text, tree }] : [];
  });
  if (readable.length === 0) return new Map();
  const held = await readStoredLicenses(readable.map(({ tree }) => tree));
  return new Map(
    readable.map(({ key, text, tree }) => {
      const status = hasForeignLetters(text) ? 'unreadable' : 'unreviewed';
      const known = evaluateNormalization(tree, held) ?? { normalized: null, status };
      return [key, { text, ...known }];
    }),
  );
};

/** Returns the interpreted license of a submission. Callers can load upstream metadata in parallel. */
export const findSubmittedLicense = (submission: SubmittedLicense): Promise<StatedLicenses> =>
  findStated(listSubmitted(submission));

const parseStatement = ({ text, normalization }: Statement): Normalization =>
  parseNormalization(text, normalization) ?? { license: text };

/** True if the submission and the package state the same license. */
export const statesOneLicense = (version: LicenseStatements): boolean => {
  const [submitted, declared] = [...listSubmitted(version), ...listDeclared(version)].map(
    parseStatement,
  );
  return submitted !== undefined && declared !== undefined && haveSameMeaning(submitted, declared);
};

/**
 * Returns a lookup of license evidence for these versions, by the organisation's current license decisions. All versions
 * share one batch of reads; licenses in `known` are not read again.
 */
export const findLicenseEvidence = async (
  versions: readonly LicenseStatements[],
  known: StatedLicenses = new Map(),
): Promise<LicenseLookup> => {
  const statements = versions.flatMap((one) => [...listSubmitted(one), ...listDeclared(one)]);
  const byKey = new Map(statements.map((statement) => [toKey(statement), statement]));
  const unknown = [...byKey].flatMap(([key, statement]) => (known.has(key) ? [] : [statement]));
  const stated = new Map([...known, ...(await findStated(unknown))]);
  const find = ([statement]: readonly Statement[]): StatedLicense | null =>
    statement
      ? (stated.get(toKey(statement)) ?? {
          text: statement.text,
          normalized: null,
          status: 'unreadable',
        })
      : null;
  return (version) =>
    toLicenseEvidence(
      find(listSubmitted(version)),
      find(listDeclared(version)),
      version.facts?.license_declaration ?? 'unknown',
    );
};
