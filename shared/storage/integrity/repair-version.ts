import { isDeepStrictEqual } from 'node:util';
import type { FindingKind } from '../../api/schemas/integrity.ts';
import { renumberVersion } from '../catalogue/sequence-numbers.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { isSequenceNumber, toIndexKeys } from '../packages/version-keys.ts';
import { updateIndexKeys } from '../packages/write-version.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

/** The primary key of a stored version, as it is stored. */
export const pickVersionKey = ({ name_key, version_key }: PackageItem) => ({
  name_key,
  version_key,
});

/** Whether a version stands in every index where it must. */
export const hasItsIndexKeys = (item: PackageItem): boolean =>
  isSequenceNumber(item.ordinal) &&
  Object.entries(toIndexKeys(item)).every(([name, key]) =>
    isDeepStrictEqual(item[name as keyof PackageItem], key),
  );

/** Reports a version that stands at a wrong place or in another's, and gives it its own one: unless it changed meanwhile. */
export const mendVersion = async (
  kind: Extract<FindingKind, 'duplicate_sequence_number' | 'wrong_index_key'>,
  item: PackageItem,
  context: CheckContext,
): Promise<void> => {
  const { tally, deadline, layout, repair } = context;
  tally.find(kind, `${item.ecosystem} ${item.name} ${item.version}`);
  if (!repair) return;
  const isMended =
    kind === 'wrong_index_key' && isSequenceNumber(item.ordinal) && !hasItsIndexKeys(item)
      ? await transactUnlessChanged([updateIndexKeys(item)], deadline)
      : await renumberVersion(item, { catalogue: { layout, shard: 0 }, deadline });
  if (isMended) tally.repair(1);
};
