/** A regular file of an archive. */
export interface ArchivedFile {
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

/** An entry that is named and never used, such as a link. */
export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

/** The content of an archive in memory. */
export interface Archive {
  /** The files by their paths in the package. */
  readonly files: ReadonlyMap<string, ArchivedFile>;
  readonly refused: readonly RefusedEntry[];
}

/** The limits of an archive. */
export interface ArchiveBounds {
  /** Maximum size of the archive, as it is downloaded. */
  readonly packedBytes: number;
  /** Maximum size of the unpacked content. */
  readonly bytes: number;
  /** Maximum number of entries, with folders and refused entries. */
  readonly entries: number;
}

export const archiveBounds: ArchiveBounds = {
  packedBytes: 100_000_000,
  bytes: 200_000_000,
  entries: 20_000,
};

/** An archive that is damaged, above a limit, or ambiguous: package managers could read different content. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export const refuseSize = (bytes: number): ArchiveError =>
  new ArchiveError(`unpacks to more than ${Math.floor(bytes / 1_000_000)} MB`);
