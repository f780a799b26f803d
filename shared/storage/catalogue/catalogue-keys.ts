import type { Status } from '../../domain/review/status.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { formatSequenceNumber } from '../packages/version-keys.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';

/**
 * Key of a catalogue item. Attribute names have one letter, because the size of each read and write includes them: `p`
 * is the partition and `o` the position.
 */
export type CatalogueKey = {
  readonly p: string;
  readonly o: string;
};

const formatFixedWidth = (value: number, width: number): string =>
  value.toString(36).padStart(width, '0');

const shardWidth = 2;

/** Filter of a list of versions. */
export interface BrowseFilter {
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
}

const browsePrefix = '*';

/**
 * Returns the browse partition of a filter with this number. It has a row for each version that matches the filter. Partitions
 * of filters are separate keys, because DynamoDB writes at most 1,000 units a second to one key.
 */
export const toBrowsePartition = (partition: number, { ecosystem, status }: BrowseFilter): string =>
  `${browsePrefix}${ecosystem?.[0] ?? '-'}${status?.[0] ?? '-'}${partition.toString(36)}`;

/** Returns the key of a version's row in the list of a filter. */
export const toBrowseKey = (
  sequence: number,
  filter: BrowseFilter,
  layout: CatalogueLayout,
): CatalogueKey => ({
  p: toBrowsePartition(findPiece(sequence, layout.partitionBits), filter),
  o: formatSequenceNumber(sequence),
});

/** True if the key belongs to a browse row. */
export const isBrowseKey = ({ p }: CatalogueKey): boolean => p.startsWith(browsePrefix);

/** Partition of the counters of large buckets. */
export const largeBucketPartition = '#c';

const largeBucketWidth = 6;
const smallBucketWidth = 4;

/** Returns the key of one shard of a large bucket's counter. */
export const toLargeBucketKey = (bucket: number, shard: number): CatalogueKey => ({
  p: largeBucketPartition,
  o: `${formatFixedWidth(bucket, largeBucketWidth)}${formatFixedWidth(shard, shardWidth)}`,
});

/** Returns the partition of the counters of one large bucket's small buckets. */
export const toSmallBucketPartition = (largeBucket: number): string =>
  `#f${formatFixedWidth(largeBucket, largeBucketWidth)}`;

/** Returns the key of one shard of a small bucket's counter within its large bucket. */
export const toSmallBucketKey = (
  largeBucket: number,
  bucket: number,
  shard: number,
): CatalogueKey => ({
  p: toSmallBucketPartition(largeBucket),
  o: `${formatFixedWidth(bucket, smallBucketWidth)}${formatFixedWidth(shard, shardWidth)}`,
});

/**
 * True if the key belongs to a counter. Search texts may also begin with `#`, but their partitions begin with a shard.
 */
export const isCounterKey = ({ p }: CatalogueKey): boolean => p.startsWith('#');

/** The positions of summaries begin with this sign, which sorts after all digits. */
const summarySign = '~';

/** Returns the key of a partition's summary: the sums of its large buckets without new versions. */
export const toSummaryKey = (partition: number): CatalogueKey => ({
  p: largeBucketPartition,
  o: `${summarySign}${formatFixedWidth(partition, largeBucketWidth)}`,
});

/** True if the key belongs to a summary. */
export const isSummaryKey = ({ o }: Pick<CatalogueKey, 'o'>): boolean => o.startsWith(summarySign);

/** Returns the partition number in a summary's position. */
export const readSummaryPartition = ({ o }: CatalogueKey): number =>
  Number.parseInt(o.slice(summarySign.length), 36);

/** Returns the key of the breakdown of a partition's summary by large bucket. */
export const toBreakdownKey = (partition: number): CatalogueKey => ({
  p: '#b',
  o: formatFixedWidth(partition, largeBucketWidth),
});

/** Returns the bucket number in a counter's position. */
export const readBucket = ({ o }: CatalogueKey): number =>
  Number.parseInt(o.slice(0, -shardWidth), 36);

/** Returns the shard number in a counter's position. */
export const readShard = ({ o }: CatalogueKey): number => Number.parseInt(o.slice(-shardWidth), 36);

/** Width of search shards: one digit in base 36 numbers more shards than the highest sequence number has. */
const searchShardWidth = 1;

/**
 * Returns the search shard of a sequence number. The first shard has 2^searchShardBits numbers, and each further one as
 * many as all before it. So a search among 100 million versions reads 11 shards.
 */
export const findSearchShard = (
  sequence: number,
  { searchShardBits }: Pick<CatalogueLayout, 'searchShardBits'>,
): number => {
  let shard = 0;
  while (sequence >= 2 ** (searchShardBits + shard)) shard += 1;
  return shard;
};

/**
 * Returns the partition of search rows whose text begins with these three characters; with this one, for the beginning
 * of a name.
 */
export const toSearchPartition = (shard: number, beginning: string, startsName: boolean): string =>
  `${formatFixedWidth(shard, searchShardWidth)}${startsName ? '^' : ''}${beginning}`;
