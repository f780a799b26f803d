import type { Checksums } from '../../util/checksums.ts';
import { queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';

/** A POM under its coordinates, `group:artifact:version`, for each approved version that cannot be read without it. */
export interface PomRow {
  readonly v: string;
  /** The key of the approved version. */
  readonly k: string;
  readonly checksums: Checksums;
}

export const pomRowsTable = defineTable<PomRow>('reviews');

/** `#` begins no version's key. */
export const pomPrefix = '#pom#';

export const toPomRowKey = (coordinates: string, versionKey: string) => ({
  v: `${pomPrefix}${coordinates}`,
  k: versionKey,
});

/** The coordinates that a row stands under. */
export const readCoordinates = ({ v }: Pick<PomRow, 'v'>): string => v.slice(pomPrefix.length);

export const putPomRow = (versionKey: string, coordinates: string, checksums: Checksums): Write =>
  putItem(pomRowsTable, { ...toPomRowKey(coordinates, versionKey), checksums });

export const deletePomRow = (versionKey: string, coordinates: string): Write =>
  deleteItem(pomRowsTable, toPomRowKey(coordinates, versionKey));

/**
 * The checksums of a POM that an approved version leans on, as they were when its origin was asked; undefined where none
 * does. Half a unit: rows follow decisions within seconds, so that a strong read would know no more.
 */
export const findPomChecksums = async (coordinates: string): Promise<Checksums | undefined> => {
  const range = {
    KeyConditionExpression: 'v = :pom',
    ExpressionAttributeValues: { ':pom': `${pomPrefix}${coordinates}` },
    ConsistentRead: false,
  };
  const { items } = await queryPage(pomRowsTable, range, { limit: 1 });
  return items[0]?.checksums;
};
