/** Stores the messages of all queues in one SQLite database, so that messages survive a restart. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import * as z from 'zod';

const rowSchema = z.object({
  /** Position in the order of sending. */
  place: z.int(),
  id: z.string(),
  body: z.string(),
  /** Epoch milliseconds, like all times in this file. */
  sent_at: z.number(),
  visible_at: z.number(),
  received: z.int(),
  first_received_at: z.number().nullable(),
  receipt: z.string().nullable(),
});

export type StoredMessage = z.output<typeof rowSchema>;

/** Numbers of visible messages, of received messages that are not yet deleted, and of delayed messages. */
export interface MessageCounts {
  readonly visible: number;
  readonly handedOut: number;
  readonly delayed: number;
}

export interface MessageStore {
  add(queue: string, body: string, delayMs: number): StoredMessage;
  /** Returns all messages, the oldest first. */
  list(queue: string): readonly StoredMessage[];
  /** Returns up to `count` visible messages, the oldest first, and hides them for `hiddenMs`. */
  take(queue: string, count: number, hiddenMs: number): readonly StoredMessage[];
  /**
   * Moves visible messages that were received at least `received` times to another queue. Returns the moved messages.
   */
  move(from: string, to: string, received: number): readonly StoredMessage[];
  /** Deletes the message of a receipt. Only the newest receipt of a message is valid. */
  delete(queue: string, receipt: string): void;
  deleteSentBefore(queue: string, time: number): void;
  count(queue: string): MessageCounts;
  /** Returns the time at which the next hidden message becomes visible, or undefined if no message is hidden. */
  findNextVisible(queue: string): number | undefined;
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    place INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
    sent_at REAL NOT NULL, visible_at REAL NOT NULL, received INTEGER NOT NULL DEFAULT 0,
    first_received_at REAL, receipt TEXT);
  CREATE INDEX IF NOT EXISTS by_queue ON messages (queue, visible_at);`;

const parseRows = (rows: readonly Record<string, SQLOutputValue>[]): readonly StoredMessage[] =>
  z.array(rowSchema).parse(rows);

const countSchema = z.object({ visible: z.int(), handedOut: z.int(), delayed: z.int() });

/** Opens the database. A power failure may lose the last messages, but it cannot corrupt the file. */
const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec(schema);
  // The receivers of these messages ended with the previous process.
  database.exec('UPDATE messages SET visible_at = 0, receipt = NULL WHERE receipt IS NOT NULL');
  return database;
};

/** @param file database file; absent: in memory */
export const openMessageStore = (file = ':memory:'): MessageStore => {
  const database = open(file);
  const insert = database.prepare(
    'INSERT INTO messages (queue, id, body, sent_at, visible_at) VALUES (?, ?, ?, ?, ?) RETURNING *',
  );
  const list = database.prepare('SELECT * FROM messages WHERE queue = ? ORDER BY place');
  const take = database.prepare(
    `UPDATE messages SET visible_at = :until, received = received + 1, receipt = id || ':' || :nonce,
       first_received_at = coalesce(first_received_at, :now)
     WHERE place IN (SELECT place FROM messages WHERE queue = :queue AND visible_at <= :now ORDER BY place LIMIT :count)
     RETURNING *`,
  );
  const move = database.prepare(
    `UPDATE messages SET queue = :to, visible_at = :now, receipt = NULL
     WHERE queue = :from AND visible_at <= :now AND received >= :received RETURNING *`,
  );
  const remove = database.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?');
  const removeOld = database.prepare('DELETE FROM messages WHERE queue = ? AND sent_at < ?');
  const count = database.prepare(
    `SELECT count(*) FILTER (WHERE visible_at <= :now) AS visible,
       count(*) FILTER (WHERE visible_at > :now AND received > 0) AS handedOut,
       count(*) FILTER (WHERE visible_at > :now AND received = 0) AS delayed
     FROM messages WHERE queue = :queue`,
  );
  const next = database.prepare(
    'SELECT min(visible_at) AS at FROM messages WHERE queue = ? AND visible_at > ?',
  );

  return {
    add: (queue, body, delayMs) => {
      const now = Date.now();
      return rowSchema.parse(insert.get(queue, randomUUID(), body, now, now + delayMs));
    },
    list: (queue) => parseRows(list.all(queue)),
    take: (queue, limit, hiddenMs) => {
      const now = Date.now();
      const given = { queue, now, until: now + hiddenMs, count: limit, nonce: randomUUID() };
      return parseRows(take.all(given)).toSorted((one, other) => one.place - other.place);
    },
    move: (from, to, received) => parseRows(move.all({ from, to, received, now: Date.now() })),
    delete: (queue, receipt) => {
      remove.run(queue, receipt);
    },
    deleteSentBefore: (queue, time) => {
      removeOld.run(queue, time);
    },
    count: (queue) => countSchema.parse(count.get({ queue, now: Date.now() })),
    findNextVisible: (queue) =>
      z.object({ at: z.number().nullable() }).parse(next.get(queue, Date.now())).at ?? undefined,
    close: () => database.close(),
  };
};
