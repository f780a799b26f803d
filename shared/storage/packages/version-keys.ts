import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { foldVersion } from '../../domain/packages/package-version.ts';
import type { Status } from '../../domain/review/status.ts';

/** Ordinals sort as text: base 36 at fixed width, enough for 3 million million submissions. */
const ordinalWidth = 8;

/** The highest ordinal that keys can hold. */
export const maxSequenceNumber = 36 ** ordinalWidth - 1;

/** The text that stands for an ordinal in keys. */
export const formatSequenceNumber = (ordinal: number): string =>
  ordinal.toString(36).padStart(ordinalWidth, '0');

/** The ordinal that a text in a key stands for. */
export const parseSequenceNumber = (text: string): number => Number.parseInt(text, 36);

/** Whether a text stands for an ordinal. */
export const isSequenceNumber = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-z]{8}$/.test(text);

/** What every version key that spells the same version in some ecosystem begins with. */
export const toVersionKeyPrefix = (version: string): string => `${foldVersion(version)}#`;

/** The primary key of a package version. */
export const toItemKey = (id: PackageId) => ({
  name_key: foldName(id.name),
  version_key: `${toVersionKeyPrefix(id.version)}${toVersionKey(id)}`,
});

interface IndexedVersion {
  readonly ecosystem: string;
  readonly status: Status;
  readonly ordinal: string;
}

/** The sort keys of the indexes that change with a version's status. */
export const toStatusIndexKeys = ({ ecosystem, status, ordinal }: IndexedVersion) => ({
  status_ordinal: `${status}#${ordinal}`,
  ecosystem_status_ordinal: `${ecosystem}#${status}#${ordinal}`,
});

/** The sort keys of all indexes of a package version. */
export const toIndexKeys = (version: IndexedVersion) => ({
  ordinal: version.ordinal,
  ecosystem_ordinal: `${version.ecosystem}#${version.ordinal}`,
  ...toStatusIndexKeys(version),
});
