import { expect } from 'vitest';
import {
  type Archive,
  type ArchiveBounds,
  ArchiveError,
} from '../../../../cli/commands/diff/archives/archive.ts';

/** Returns the texts of an archive's files, by their paths. */
export const listTexts = ({ files }: Archive) =>
  Object.fromEntries([...files].map(([path, { content }]) => [path, content.toString()]));

const bounds = { entries: 20, bytes: 20_000 };

/** Checks that an archive is read within the limits, with paths below its folder, or refused. */
export const checkBounds = async (
  packed: Buffer,
  unpack: (packed: Buffer, bounds: Partial<ArchiveBounds>) => Promise<Archive>,
): Promise<void> => {
  try {
    const { files, refused } = await unpack(packed, bounds);
    const bytes = [...files.values()].reduce((sum, { content }) => sum + content.length, 0);
    expect(files.size + refused.length).toBeLessThanOrEqual(bounds.entries);
    expect(bytes).toBeLessThanOrEqual(bounds.bytes);
    for (const path of files.keys()) expect(path).not.toMatch(/^\/|\\|\0|(?:^|\/)\.\.?(?:\/|$)/);
  } catch (error) {
    expect(error).toBeInstanceOf(ArchiveError);
  }
};
