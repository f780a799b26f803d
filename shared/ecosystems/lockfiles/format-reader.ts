import type { DependencyFile, DependencyFormat } from './dependency-file.ts';

/** What a file says, whatever format it is of. */
export type Contents = Omit<DependencyFile, 'format'>;

/** One format that dependencies are written in. */
export interface FormatReader {
  readonly format: DependencyFormat;
  /** Matches the paths of files that are of this format. */
  readonly named: RegExp;
  /** Whether a text is meant to be of this format, for files that anybody may name. */
  readonly recognises?: (text: string) => boolean;
  /** @throws {UnreadableDependencyFileError} if it is malformed */
  readonly read: (text: string) => Contents;
}
