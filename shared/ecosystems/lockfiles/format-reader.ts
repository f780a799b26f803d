import type { DependencyFile, DependencyFormat } from './dependency-file.ts';

/** Content of a dependency file, independent of its format. */
export type Contents = Omit<DependencyFile, 'format'>;

/** Reader of one dependency file format. */
export interface FormatReader {
  readonly format: DependencyFormat;
  /** Matches the paths of files in this format. */
  readonly named: RegExp;
  /** True if a text looks like this format. Used for formats whose files may have any name. */
  readonly recognises?: (text: string) => boolean;
  /** @throws {UnreadableDependencyFileError} if the text is malformed */
  readonly read: (text: string) => Contents;
}
