/** Checks a history, and the tables after it, against the API's promises. The engine must have no faults during the check. */
import { isDeepStrictEqual } from 'node:util';
import { type FindingKind, IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { PackagePage } from '../../../shared/api/schemas/package.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { listRecords } from '../../../shared/storage/decisions/records.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { randomQuery } from '../../storage/catalogue/history.ts';
import { expectedPage, type OracleQuery, readTruth } from '../../storage/catalogue/oracle.ts';
import type { Random } from '../../support/random.ts';
import { isLinearizable } from '../../use-cases/review/find-linearization.ts';
import type { Send } from '../rig/answers.ts';
import { askOnce } from './client.ts';
import { nothingKnown } from './model.ts';
import type { HistoryRecord } from './record.ts';
import { keyOf } from './versions.ts';

const findUnexplained = ({ operations, steps }: HistoryRecord): string[] =>
  [...operations]
    .filter(([, ofVersion]) => !isLinearizable(ofVersion, nothingKnown))
    .map(([key]) =>
      [
        `no order explains what was seen of ${key}:`,
        ...steps.filter((line) => line.includes(` ${key}: `)),
      ].join('\n    '),
    );

/** An acknowledged decision has one record, a refused one has none, and any other has at most one. */
const findWrongRecords = async (
  { decisions }: HistoryRecord,
  versions: readonly PackageId[],
): Promise<string[]> => {
  const ofVersions = await Promise.all(
    versions.map(async (id) => {
      const all = await listRecords(id, { count: 1000 });
      // Effects of scans do not change the version.
      const records = all.filter(({ type }) => type !== 'package.attention');
      return { key: keyOf(id), records, revision: (await findVersion(id))?.revision ?? -1 };
    }),
  );
  const wrongCounts = ofVersions
    .filter(({ records, revision }) => records.length !== revision + 1)
    .map(({ key, records, revision }) => `${key}: ${records.length} records, ${revision + 1} due`);
  const times = Map.groupBy(
    ofVersions.flatMap(({ key, records }) => records.map(({ by }) => `${key} ${by}`)),
    (name) => name,
  );
  const wrongTimes = decisions.flatMap(({ id, by, kind }) => {
    const count = times.get(`${keyOf(id)} ${by}`)?.length ?? 0;
    const least = kind === 'done' ? 1 : 0;
    const most = kind === 'done' || kind === 'unknown' ? 1 : 0;
    const isRight = count >= least && count <= most;
    return isRight ? [] : [`${by} of ${keyOf(id)} is ${kind}, and recorded ${count} times`];
  });
  return [...wrongCounts, ...wrongTimes];
};

const toTarget = ({ order, ...query }: OracleQuery): string => {
  const given = { ...query, sort: order.isAscending ? undefined : '-submitted_at' };
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) sent.set(name, String(value));
  }
  return `/api/v1/packages?${sent}`;
};

const describe = ({ packages, total }: Pick<PackagePage, 'packages' | 'total'>): string =>
  `${total} in all: ${packages.map((item) => `${keyOf(item)} ${item.status}`).join(', ')}`;

/** The number of lists and searches to compare with a full scan of the table. */
const comparisons = 25;

const findWrongPages = async (random: Random, send: Send): Promise<string[]> => {
  const truth = await readTruth();
  const sequences = new Set(truth.map(({ sequence }) => sequence));
  const wrong = sequences.size === truth.length ? [] : ['two versions have one sequence number'];
  for (let at = 0; at < comparisons; at += 1) {
    const query = randomQuery(random, truth.length);
    const target = toTarget(query);
    const answered = await askOnce(send, { method: 'GET', target });
    const page = PackagePage.safeParse(answered?.body).data;
    const expected = expectedPage(truth, query);
    const { packages, total } = page ?? { packages: [], total: -1 };
    if (isDeepStrictEqual({ packages, total }, expected)) continue;
    wrong.push(`${target}\n    is ${describe({ packages, total })}\n    not ${describe(expected)}`);
  }
  return wrong;
};

/** The checks that need no worker. */
const atOnce: readonly FindingKind[] = [
  ...([
    'missing_row',
    'wrong_row',
    'orphaned_row',
    'wrong_counter',
    'duplicate_sequence_number',
  ] as const),
  ...([
    'wrong_index_key',
    'wrong_version_count',
    'wrong_review_state',
    'orphaned_review_state',
  ] as const),
  ...([
    'missing_due_row',
    'orphaned_due_row',
    'orphaned_attention_row',
    'orphaned_findings',
    'orphaned_details',
  ] as const),
];

/** An integrity check takes as long as a history, so only one history in four has one. */
const findByIntegrityCheck = async (random: Random): Promise<string[]> => {
  if (random.below(4) > 0) return [];
  const deadline = { remainingMs: () => 60_000 };
  const { done, found, examples } = await checkIntegrity(
    IntegrityReport.parse({}),
    defaultLayout,
    deadline,
  );
  const counted = atOnce.filter((kind) => (found[kind] ?? 0) > 0);
  const wrong = counted.map(
    (kind) => `the integrity check finds ${found[kind]} ${kind}: ${examples}`,
  );
  return done ? wrong : [...wrong, 'the integrity check did not come to an end'];
};

/** Returns all violations. */
export const judgeHistory = async (
  record: HistoryRecord,
  versions: readonly PackageId[],
  { random, send }: { readonly random: Random; readonly send: Send },
): Promise<string[]> => [
  ...record.violations,
  ...findUnexplained(record),
  ...(await findWrongRecords(record, versions)),
  ...(await findWrongPages(random, send)),
  ...(await findByIntegrityCheck(random)),
];
