/**
 * Checkpoints of event source mappings in their streams. The embedded engine stores every record permanently, so a
 * position is enough to continue after a restart. The position is saved after each batch. Records in progress at the end of
 * the process are delivered again, as Lambda may do, so no record is lost.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const positionsSchema = z.record(z.string(), z.string());

export interface Positions {
  /** Returns the sequence number of the last processed record: empty at the beginning, undefined if never read. */
  get(reader: string): string | undefined;
  set(reader: string, sequenceNumber: string): void;
}

/**
 * Reads the file. A damaged file, such as after a power failure, counts as empty: records are then delivered from the
 * beginning.
 */
const readPositions = (path: string): Record<string, string> => {
  try {
    return positionsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
};

/** @param path JSON file, or undefined to keep the positions in memory */
export const openPositions = (path: string | undefined): Positions => {
  const positions = path === undefined ? {} : readPositions(path);
  return {
    get: (reader) => positions[reader],
    set: (reader, sequenceNumber) => {
      positions[reader] = sequenceNumber;
      if (path === undefined) return;
      writeFileSync(`${path}.new`, JSON.stringify(positions, null, 2));
      renameSync(`${path}.new`, path);
    },
  };
};
