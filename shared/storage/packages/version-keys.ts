import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { foldVersion } from '../../domain/packages/package-version.ts';
import type { Status } from '../../domain/review/status.ts';

/** Width of sequence numbers as sortable text in base 36: enough for over 2.8 trillion submissions. */
const sequenceWidth = 8;

/** Highest sequence number that fits into keys. */
export const maxSequenceNumber = 36 ** sequenceWidth - 1;

/** Returns a sequence number as sortable text for keys. */
export const formatSequenceNumber = (sequence: number): string =>
  sequence.toString(36).padStart(sequenceWidth, '0');

/** Returns the sequence number of a text in a key. */
export const parseSequenceNumber = (text: string): number => Number.parseInt(text, 36);

/** True if a value is the text of a sequence number. */
export const isSequenceNumber = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-z]{8}$/.test(text);

/** Returns the common prefix of all version keys that spell the same version, in any ecosystem. */
export const toVersionKeyPrefix = (version: string): string => `${foldVersion(version)}#`;

/** Returns the primary key of a package version. */
export const toItemKey = (id: PackageId) => ({
  name_key: foldName(id.name),
  version_key: `${toVersionKeyPrefix(id.version)}${toVersionKey(id)}`,
});

interface IndexedVersion {
  readonly ecosystem: string;
  readonly status: Status;
  readonly sequence: string;
}

/** Returns the sort keys of the indexes that change with a version's status. */
export const toStatusIndexKeys = ({ ecosystem, status, sequence }: IndexedVersion) => ({
  status_sequence: `${status}#${sequence}`,
  ecosystem_status_sequence: `${ecosystem}#${status}#${sequence}`,
});

/** Returns the sort keys of all indexes of a package version. */
export const toIndexKeys = (version: IndexedVersion) => ({
  sequence: version.sequence,
  ecosystem_sequence: `${version.ecosystem}#${version.sequence}`,
  ...toStatusIndexKeys(version),
});
