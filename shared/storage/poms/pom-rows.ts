import type { Freeze } from '../../domain/review/freeze.ts';
import type { Checksums } from '../../util/checksums.ts';
import { queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { dropFrozen } from '../reviews/freeze.ts';

/**
 * Row of a POM, under its coordinates `group:artifact:version`. There is one for each approved version that needs the
 * POM.
 */
export interface PomRow {
  readonly v: string;
  /** Key of the approved version. */
  readonly k: string;
  readonly checksums: Checksums;
}

export const pomRowsTable = defineTable<PomRow>('reviews');

/** Partition prefix of POM rows. No version key begins with `#`. */
export const pomPrefix = '#pom#';

export const toPomRowKey = (coordinates: string, versionKey: string) => ({
  v: `${pomPrefix}${coordinates}`,
  k: versionKey,
});

/** Returns the coordinates of a row. */
export const readCoordinates = ({ v }: Pick<PomRow, 'v'>): string => v.slice(pomPrefix.length);

export const putPomRow = (versionKey: string, coordinates: string, checksums: Checksums): Write =>
  putItem(pomRowsTable, { ...toPomRowKey(coordinates, versionKey), checksums });

export const deletePomRow = (versionKey: string, coordinates: string): Write =>
  deleteItem(pomRowsTable, toPomRowKey(coordinates, versionKey));

/** Number of versions of which a freeze may refuse each: one of the others has to need the POM. */
const mostNeeding = 100;

/**
 * Returns the checksums of a POM that an approved version needs, as of the upstream fetch; undefined if no version
 * needs it, or if a freeze refuses each of them. Costs half a read unit: rows follow decisions within seconds, so a
 * strongly consistent read adds nothing. During a freeze, it also costs one read of review states.
 */
export const findPomChecksums = async (
  coordinates: string,
  freeze: Freeze | undefined,
): Promise<Checksums | undefined> => {
  const range = {
    KeyConditionExpression: 'v = :pom',
    ExpressionAttributeValues: { ':pom': `${pomPrefix}${coordinates}` },
    ConsistentRead: false,
  };
  const { items } = await queryPage(pomRowsTable, range, { limit: freeze ? mostNeeding : 1 });
  if (!freeze) return items[0]?.checksums;
  const needing = items.flatMap(({ k, checksums }) => {
    const id = parseVersionKey(k);
    return id ? [{ ...id, checksums }] : [];
  });
  const [served] = await dropFrozen(needing, freeze);
  return served?.checksums;
};
