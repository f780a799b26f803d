import type { Ecosystem } from '../../domain/ecosystem.ts';
import type { Status } from '../../domain/status.ts';
import { ordinalKey } from '../keys.ts';
import { type Cell, cellsOf } from './cells.ts';
import { type CatalogueLayout, pieceOf } from './layout.ts';

/**
 * The keys of the catalogue's items. Attributes have one-letter names, because every read and write pays for each
 * letter: p partition, o position; in browse rows also e, s and b, the positions by ecosystem, status and both.
 */
export interface CatalogueKey {
  readonly p: string;
  readonly o: string;
}

const fixedWidth = (value: number, width: number): string =>
  value.toString(36).padStart(width, '0');

const shardWidth = 2;

/** The partition of browse rows that holds this stretch of ordinals. */
export const browsePartition = (partition: number): string => `*${partition.toString(36)}`;

export const browseKey = (ordinal: number, layout: CatalogueLayout): CatalogueKey => ({
  p: browsePartition(pieceOf(ordinal, layout.partitionBits)),
  o: ordinalKey(ordinal),
});

/** How an index narrows browse rows: its name, its sort key, and what that begins with. */
interface BrowseIndex {
  readonly name?: string;
  readonly sortKey: 'o' | 'e' | 's' | 'b';
  readonly prefix: string;
}

interface BrowseFilter {
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
}

const ecosystemPrefix = (ecosystem: Ecosystem): string => ecosystem[0] ?? '';
const statusPrefix = (status: Status): string => status[0] ?? '';

/** The index in which the rows that a filter lets through stand together. */
export const browseIndex = ({ ecosystem, status }: BrowseFilter): BrowseIndex => {
  if (ecosystem && status) {
    const [cell] = cellsOf({ ecosystem, status });
    return { name: 'by-ecosystem-and-status', sortKey: 'b', prefix: cell ?? '' };
  }
  if (ecosystem) {
    return { name: 'by-ecosystem', sortKey: 'e', prefix: ecosystemPrefix(ecosystem) };
  }
  if (status) return { name: 'by-status', sortKey: 's', prefix: statusPrefix(status) };
  return { sortKey: 'o', prefix: '' };
};

/** The index positions of a browse row. */
export const browsePositions = (
  ordinal: number,
  { ecosystem, status, cell }: { ecosystem: Ecosystem; status: Status; cell: Cell },
) => {
  const position = ordinalKey(ordinal);
  return {
    e: `${ecosystemPrefix(ecosystem)}${position}`,
    s: `${statusPrefix(status)}${position}`,
    b: `${cell}${position}`,
  };
};

/** The partition that holds every coarse counter. */
export const coarsePartition = '#c';

const coarseWidth = 6;
const fineWidth = 4;

/** One shard of the coarse counter that counts this stretch of ordinals. */
export const coarseKey = (block: number, shard: number): CatalogueKey => ({
  p: coarsePartition,
  o: `${fixedWidth(block, coarseWidth)}${fixedWidth(shard, shardWidth)}`,
});

/** The partition that holds the fine counters of one coarse stretch. */
export const finePartition = (coarseBlock: number): string =>
  `#f${fixedWidth(coarseBlock, coarseWidth)}`;

/** One shard of the fine counter that counts this stretch of ordinals within its coarse stretch. */
export const fineKey = (coarseBlock: number, block: number, shard: number): CatalogueKey => ({
  p: finePartition(coarseBlock),
  o: `${fixedWidth(block, fineWidth)}${fixedWidth(shard, shardWidth)}`,
});

/** Whether a key is a counter's. Texts may begin with `#` too, but their partitions begin with a shard. */
export const isCounterKey = ({ p }: CatalogueKey): boolean => p.startsWith('#');

/** The block that a counter's position names. */
export const blockOfCounter = ({ o }: CatalogueKey): number =>
  Number.parseInt(o.slice(0, -shardWidth), 36);

/** The shard that a counter's position names. */
export const shardOfCounter = ({ o }: CatalogueKey): number =>
  Number.parseInt(o.slice(-shardWidth), 36);

const searchShardWidth = 2;

/** The shard of search rows that holds this stretch of ordinals. */
export const searchShard = (ordinal: number, layout: CatalogueLayout): number =>
  pieceOf(ordinal, layout.searchShardBits);

/** The partition of the rows whose text begins with these three characters, or, for a name's beginning, this one. */
export const searchPartition = (shard: number, beginning: string, startsName: boolean): string =>
  `${fixedWidth(shard, searchShardWidth)}${startsName ? '^' : ''}${beginning}`;
