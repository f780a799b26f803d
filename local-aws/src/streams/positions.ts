/**
 * Up to where each mapping is done with its stream. The engine keeps every record for ever, and across restarts, so
 * that a position is all it takes to go on where the last run ended. It is written after each batch: what was under way
 * when the process ended is delivered again, as Lambda may do it, and nothing is lost.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const positionsSchema = z.record(z.string(), z.string());

export interface Positions {
  /** The sequence number of the last record that is done with; empty at the beginning, undefined where never read. */
  get(reader: string): string | undefined;
  set(reader: string, sequenceNumber: string): void;
}

/** A file that is damaged, say by a power cut, counts as none: records are delivered again from the beginning. */
const readPositions = (path: string): Record<string, string> => {
  try {
    return positionsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
};

/** @param path the JSON file, or undefined to keep nothing */
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
