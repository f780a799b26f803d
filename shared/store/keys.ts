import { type PackageId, packageVersionKey } from '../domain/package-id.ts';
import { nameKey } from '../domain/package-name.ts';
import { versionKey } from '../domain/package-version.ts';
import type { Status } from '../domain/status.ts';

/** Ordinals sort as text: base 36 at fixed width, enough for 3 million million submissions. */
const ordinalWidth = 8;

export const ordinalKey = (ordinal: number): string =>
  ordinal.toString(36).padStart(ordinalWidth, '0');

/** The ordinal that a key stands for. */
export const ordinalOfKey = (key: string): number => Number.parseInt(key, 36);

/** The item that counts submissions. `#` occurs in no name. */
export const ordinalCounterKey = { name_key: '#ordinal', version_key: '#ordinal' };

/** What every version key that spells the same version in some ecosystem begins with. */
export const versionKeyPrefix = (version: string): string => `${versionKey(version)}#`;

/** The primary key of a package version. */
export const packageItemKey = (id: PackageId) => ({
  name_key: nameKey(id.name),
  version_key: `${versionKeyPrefix(id.version)}${packageVersionKey(id)}`,
});

/** The sort keys of the indexes that change with a version's status. */
export const statusIndexKeys = (version: {
  readonly ecosystem: string;
  readonly status: Status;
  readonly ordinal: string;
}) => ({
  status_ordinal: `${version.status}#${version.ordinal}`,
  ecosystem_status_ordinal: `${version.ecosystem}#${version.status}#${version.ordinal}`,
});

/** The sort keys of all indexes of a package version. */
export const indexKeys = (version: {
  readonly ecosystem: string;
  readonly status: Status;
  readonly ordinal: string;
}) => ({
  ordinal: version.ordinal,
  ecosystem_ordinal: `${version.ecosystem}#${version.ordinal}`,
  ...statusIndexKeys(version),
});
