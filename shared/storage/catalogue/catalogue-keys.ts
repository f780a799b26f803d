import type { Status } from '../../domain/review/status.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { formatSequenceNumber } from '../packages/version-keys.ts';
import { type Facet, toFacets } from './facets.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';

/**
 * The keys of the catalogue's items. Attributes have one-letter names, because every read and write pays for each
 * letter: p partition, o position; in browse rows also e, s and b, the positions by ecosystem, status and both.
 */
export type CatalogueKey = {
  readonly p: string;
  readonly o: string;
};

const formatFixedWidth = (value: number, width: number): string =>
  value.toString(36).padStart(width, '0');

const shardWidth = 2;

/** The partition of browse rows that holds this stretch of ordinals. */
export const toBrowsePartition = (partition: number): string => `*${partition.toString(36)}`;

export const toBrowseKey = (ordinal: number, layout: CatalogueLayout): CatalogueKey => ({
  p: toBrowsePartition(findPiece(ordinal, layout.partitionBits)),
  o: formatSequenceNumber(ordinal),
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

export const toEcosystemPrefix = (ecosystem: Ecosystem): string => ecosystem[0] ?? '';
const toStatusPrefix = (status: Status): string => status[0] ?? '';

/** The index in which the rows that a filter lets through stand together. */
export const chooseBrowseIndex = ({ ecosystem, status }: BrowseFilter): BrowseIndex => {
  if (ecosystem && status) {
    const [cell] = toFacets({ ecosystem, status });
    return { name: 'by-ecosystem-and-status', sortKey: 'b', prefix: cell ?? '' };
  }
  if (ecosystem) {
    return { name: 'by-ecosystem', sortKey: 'e', prefix: toEcosystemPrefix(ecosystem) };
  }
  if (status) return { name: 'by-status', sortKey: 's', prefix: toStatusPrefix(status) };
  return { sortKey: 'o', prefix: '' };
};

/** The index positions of a browse row. */
export const toBrowsePositions = (
  ordinal: number,
  { ecosystem, status, cell }: { ecosystem: Ecosystem; status: Status; cell: Facet },
) => {
  const position = formatSequenceNumber(ordinal);
  return {
    e: `${toEcosystemPrefix(ecosystem)}${position}`,
    s: `${toStatusPrefix(status)}${position}`,
    b: `${cell}${position}`,
  };
};

/** The partition that holds every coarse counter. */
export const coarseBucketPartition = '#c';

const coarseWidth = 6;
const fineWidth = 4;

/** One shard of the coarse counter that counts this stretch of ordinals. */
export const toCoarseKey = (block: number, shard: number): CatalogueKey => ({
  p: coarseBucketPartition,
  o: `${formatFixedWidth(block, coarseWidth)}${formatFixedWidth(shard, shardWidth)}`,
});

/** The partition that holds the fine counters of one coarse stretch. */
export const toFinePartition = (coarseBlock: number): string =>
  `#f${formatFixedWidth(coarseBlock, coarseWidth)}`;

/** One shard of the fine counter that counts this stretch of ordinals within its coarse stretch. */
export const toFineKey = (coarseBlock: number, block: number, shard: number): CatalogueKey => ({
  p: toFinePartition(coarseBlock),
  o: `${formatFixedWidth(block, fineWidth)}${formatFixedWidth(shard, shardWidth)}`,
});

/** Whether a key is a counter's. Texts may begin with `#` too, but their partitions begin with a shard. */
export const isCounterKey = ({ p }: CatalogueKey): boolean => p.startsWith('#');

/** The block that a counter's position names. */
export const readBlock = ({ o }: CatalogueKey): number =>
  Number.parseInt(o.slice(0, -shardWidth), 36);

/** The shard that a counter's position names. */
export const readShard = ({ o }: CatalogueKey): number => Number.parseInt(o.slice(-shardWidth), 36);

/** Enough for all ordinals that there can be: with a width that could overflow, two shards would share partitions. */
const searchShardWidth = 4;

/** The shard of search rows that holds this stretch of ordinals. */
export const findSearchShard = (ordinal: number, layout: CatalogueLayout): number =>
  findPiece(ordinal, layout.searchShardBits);

/** The partition of the rows whose text begins with these three characters, or, for a name's beginning, this one. */
export const toSearchPartition = (shard: number, beginning: string, startsName: boolean): string =>
  `${formatFixedWidth(shard, searchShardWidth)}${startsName ? '^' : ''}${beginning}`;
