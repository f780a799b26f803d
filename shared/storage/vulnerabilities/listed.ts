import type { Status } from '../../domain/review/status.ts';
import { type Severity, severities } from '../../domain/vulnerabilities/severity.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import { findWorst, type Rated, type Scope, scopes, type VulnerabilityCounter } from './counter.ts';
import { readPartition } from './vulnerability-keys.ts';

/** Limits of the summary, in characters, and of the aliases in a list row, so that a page stays cheap. */
const summaryLength = 200;
const fewAliases = 10;

const lists = ['vulns', 'exploited'] as const;
type List = (typeof lists)[number];

/** Row of a vulnerability in a sorted list. Lists are of all or of approved versions, and of all or exploited ones. */
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

/** Partition keys of all sorted lists. */
export const listPartitions: readonly string[] = lists.flatMap((list) =>
  scopes.map((scope) => toListPartition(list, scope)),
);

const rankOf = (severity: Severity): string => `${severities.indexOf(severity)}`;

/** Returns the sort key of a row: highest severity first, then highest score, and last those without a score. */
const toPlace = ({ severity, score }: Rated, foldedId: string): string => {
  const inverted = score === null ? '99.9' : (10 - score).toFixed(1).padStart(4, '0');
  return `${rankOf(severity)}${inverted}#${foldedId}`;
};

/** Returns the id in a sort key, in upper case. */
export const readCursor = (k: string): string => k.slice(k.indexOf('#') + 1);

const cut = (text: string): string =>
  text.length > summaryLength ? `${text.slice(0, summaryLength - 1)}…`.toWellFormed() : text;

/**
 * Returns the list rows of a counter; none if no affected version shows the vulnerability under the id of the
 * counter.
 */
export const makeListed = (counter: VulnerabilityCounter | undefined): ListedRow[] => {
  if (!counter) return [];
  const { id, aliases, summary, epss } = counter.description;
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

/** Returns the writes that replace the rows of a vulnerability in the sorted lists. */
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

/** Filter of a vulnerability list. */
interface Requested {
  readonly severity?: Severity | undefined;
  readonly status: Scope;
  readonly known_exploited?: boolean | undefined;
  /** Sort key of the last row of the page before. */
  readonly after?: string | undefined;
}

/** Returns the first `count` vulnerabilities that match a filter, the most severe first. */
export const queryListed = async (
  { severity, status, known_exploited, after }: Requested,
  count: number,
): Promise<ListedRow[]> => {
  const [lowest, to] = [rankOf(severity ?? 'critical'), `${rankOf(severity ?? 'unrated')}~`];
  // No id ends with a space, so this is the first sort key after that row.
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
      // The list is seconds late in any case.
      ConsistentRead: false,
    },
    count,
  );
};
