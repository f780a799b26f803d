import type { Status } from '../../domain/review/status.ts';
import { type Severity, severities } from '../../domain/vulnerabilities/severity.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import { findWorst, type Rated, type Scope, scopes, type VulnerabilityCounter } from './counter.ts';
import { readPartition } from './vulnerability-keys.ts';

/** How much of what is told a list shows: a page of it is to stay cheap. */
const summaryLength = 200;
const fewAliases = 10;

const lists = ['vulns', 'exploited'] as const;
type List = (typeof lists)[number];

/** A vulnerability in a list: of all versions or of approved ones, of all or of those that are exploited. */
export interface ListedRow extends Rated {
  readonly v: string;
  readonly k: string;
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly epss: number | null;
  readonly known_exploited: boolean;
  readonly statuses: Readonly<Record<Status, number>>;
}

export const listedTable = defineTable<ListedRow>('reviews');

const toListPartition = (list: List, scope: Scope): string => `#${list}#${scope}`;

/** Every list there is. */
export const listPartitions: readonly string[] = lists.flatMap((list) =>
  scopes.map((scope) => toListPartition(list, scope)),
);

const rankOf = (severity: Severity): string => `${severities.indexOf(severity)}`;

/** The worse comes first, and what has no score last of its severity. */
const toPlace = ({ severity, score }: Rated, foldedId: string): string => {
  const inverted = score === null ? '99.9' : (10 - score).toFixed(1).padStart(4, '0');
  return `${rankOf(severity)}${inverted}#${foldedId}`;
};

/** The id that a place is of, in upper case. */
export const readCursor = (k: string): string => k.slice(k.indexOf('#') + 1);

const cut = (text: string): string =>
  text.length > summaryLength ? `${text.slice(0, summaryLength - 1)}…`.toWellFormed() : text;

/** The rows that a vulnerability must have in the lists: none but under an id that some version shows it by. */
export const makeListed = (counter: VulnerabilityCounter | undefined): ListedRow[] => {
  if (!counter) return [];
  const { id, aliases, summary, epss } = counter.telling;
  return scopes.flatMap((scope) => {
    const worst = findWorst(counter, scope);
    if (!worst || counter.preferred[scope] === 0) return [];
    const known_exploited = counter.exploited[scope] > 0;
    return lists
      .filter((list) => list === 'vulns' || known_exploited)
      .map((list) => ({
        v: toListPartition(list, scope),
        k: toPlace(worst, readPartition(counter.v)),
        ...{ id, epss, known_exploited, ...worst },
        aliases: aliases.slice(0, fewAliases),
        summary: cut(summary),
        statuses: counter.statuses,
      }));
  });
};

const pickKey = ({ v, k }: ListedRow) => ({ v, k });

/** Puts a vulnerability's rows in place of those that it had. */
export const moveListed = (
  before: VulnerabilityCounter | undefined,
  after: VulnerabilityCounter | undefined,
): Write[] => {
  const rows = makeListed(after);
  const kept = new Set(rows.map(({ v, k }) => `${v} ${k}`));
  return [
    ...makeListed(before)
      .filter(({ v, k }) => !kept.has(`${v} ${k}`))
      .map((row) => deleteItem(listedTable, pickKey(row))),
    ...rows.map((row) => putItem(listedTable, row)),
  ];
};

/** Which vulnerabilities are wanted. */
interface Requested {
  readonly severity?: Severity | undefined;
  readonly status: Scope;
  readonly known_exploited?: boolean | undefined;
  /** The place of the last one that was shown. */
  readonly after?: string | undefined;
}

/** The first `count` of the vulnerabilities that are wanted, the most severe first. */
export const queryListed = async (
  { severity, status, known_exploited, after }: Requested,
  count: number,
): Promise<ListedRow[]> => {
  const [lowest, to] = [rankOf(severity ?? 'critical'), `${rankOf(severity ?? 'unrated')}~`];
  // No id ends in a blank, so that this is the first place after it.
  const from = after !== undefined && after > lowest ? `${after} ` : lowest;
  if (from > to) return [];
  return queryItems(
    listedTable,
    {
      KeyConditionExpression: 'v = :list AND k BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':list': toListPartition(known_exploited ? 'exploited' : 'vulns', status),
        ':from': from,
        ':to': to,
      },
      // The list follows by seconds as it is.
      ConsistentRead: false,
    },
    count,
  );
};
