import { readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import {
  chooseWorstRating,
  parseRating,
  type Rating,
} from '../../domain/vulnerabilities/severity.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { isSamePackage, type OsvPackage } from './ecosystems.ts';
import type { Affected, OsvRating, OsvRecord } from './osv-record.ts';

/** Databases by id prefix. Other prefixes are used as database names. */
const databases: Readonly<Record<string, string>> = {
  GHSA: 'GitHub Advisory Database',
  PYSEC: 'PyPA Advisory Database',
  MAL: 'OpenSSF Malicious Packages',
  CVE: 'NVD',
};

/** Returns the database of an OSV id. */
const findDatabase = (id: string): string => {
  const prefix = id.split('-', 1)[0] ?? '';
  return Object.hasOwn(databases, prefix) ? (databases[prefix] ?? prefix) : prefix;
};

const maxListedVersions = 20;

type Range = NonNullable<Affected['ranges']>[number];

/** Returns the intervals of a range, such as `>=1.0 <1.2.6`. A blank means "and". */
const listStretches = ({ type, events }: Range): string[] => {
  if (type === 'GIT') return [];
  const stretches: string[] = [];
  let from: string | undefined;
  const close = (end: string): void => {
    stretches.push(from ? `${from} ${end}`.trim() : end);
    from = undefined;
  };
  for (const { introduced, fixed, last_affected } of events ?? []) {
    if (introduced !== undefined) from = introduced === '0' ? '' : `>=${introduced}`;
    if (fixed !== undefined) close(`<${fixed}`);
    if (last_affected !== undefined) close(`<=${last_affected}`);
  }
  if (from !== undefined) stretches.push(from || '*');
  return stretches;
};

/** Returns the affected intervals or, without any, the affected versions if they are few. */
const listRanges = (affected: readonly Affected[]): string[] => {
  const stretches = affected.flatMap(({ ranges }) => ranges ?? []).flatMap(listStretches);
  if (stretches.length > 0) return stretches;
  const versions = affected.flatMap(({ versions }) => versions ?? []);
  return versions.length > maxListedVersions ? [] : versions.map((version) => `=${version}`);
};

const listFixes = (affected: readonly Affected[]): string[] =>
  affected
    .flatMap(({ ranges }) => ranges ?? [])
    .filter(({ type }) => type !== 'GIT')
    .flatMap(({ events }) => events ?? [])
    .flatMap(({ fixed }) => fixed ?? []);

/** Returns the worst rating in words, such as Ubuntu's. */
const findWordedSeverity = (ratings: readonly OsvRating[]): Rating | null =>
  chooseWorstRating(
    ratings.map(({ type, score }) => (type?.startsWith('CVSS') ? null : parseRating(score))),
  );

/** Returns the severity of a record. Malicious packages are seldom rated and count as critical. */
const findRatedSeverity = (
  { id, database_specific }: OsvRecord,
  ratings: readonly OsvRating[],
): Rating | null => {
  const word = database_specific?.['severity'];
  const rated = typeof word === 'string' ? parseRating(word) : null;
  return rated ?? findWordedSeverity(ratings) ?? (id.startsWith('MAL-') ? 'critical' : null);
};

const cutFirstLine = (text: string | null | undefined): string =>
  (text ?? '').trimStart().split('\n', 1)[0]?.replace(/^#+ */, '') ?? '';

/** Returns the finding of an OSV record for a package version. */
const readOsvFinding = (record: OsvRecord, found: OsvPackage, version: string): Finding => {
  const affected = (record.affected ?? []).filter(
    (entry) => entry.package && isSamePackage(entry.package, found),
  );
  const ratings = [record, ...affected].flatMap(({ severity }) => severity ?? []);
  return toFinding({
    id: record.id,
    aliases: record.aliases ?? [],
    summary: record.summary || cutFirstLine(record.details),
    severity: findRatedSeverity(record, ratings),
    cvss: ratings.map(({ score }) => readCvss(score)),
    ranges: listRanges(affected),
    fixedVersions: listFixes(affected),
    references: (record.references ?? []).map(({ url }) => url),
    components: [`${found.name} ${version}`.trim()],
    sources: [findDatabase(record.id)],
  });
};

/** Returns the findings of OSV records for a package version. Withdrawn records are omitted. */
export const readOsvFindings = (
  records: readonly OsvRecord[],
  found: OsvPackage,
  version: string,
): Finding[] =>
  records
    .filter(({ withdrawn }) => !withdrawn)
    .map((record) => readOsvFinding(record, found, version));
