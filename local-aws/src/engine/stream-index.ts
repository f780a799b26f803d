/** Indexes stream records, so that reads and writes stay fast with long streams. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Longest wait for the engine's lock on the file, in milliseconds. */
const busyMs = 5000;

/**
 * Adds an index on stream records to the engine's database. The engine stores all stream records in one table without an
 * index, and scans it at each stream read and at each write to a table with a stream. With 20,000 records this takes
 * 14 ms instead of 1 ms. A database without this table stays unchanged.
 */
export const indexStreams = (databaseFile: string): void => {
  if (!existsSync(databaseFile)) return;
  const database = new DatabaseSync(databaseFile, { timeout: busyMs });
  try {
    const find = database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_stream_records'");
    if (find.get() === undefined) return;
    database.exec(
      'CREATE INDEX IF NOT EXISTS _stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
  } finally {
    database.close();
  }
};
