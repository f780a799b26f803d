/** Keeps the messages of all queues in one SQLite database: what a queue took is there after a restart. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import * as z from 'zod';

const rowSchema = z.object({
  /** In the order of sending. */
  place: z.int(),
  id: z.string(),
  body: z.string(),
  /** Epoch milliseconds, as all times here. */
  sent_at: z.number(),
  visible_at: z.number(),
  received: z.int(),
  first_received_at: z.number().nullable(),
  receipt: z.string().nullable(),
});

export type StoredMessage = z.output<typeof rowSchema>;

/** How many messages wait, were handed out and not deleted, and were sent to be seen later. */
export interface MessageCounts {
  readonly visible: number;
  readonly handedOut: number;
  readonly delayed: number;
}

export interface MessageStore {
  add(queue: string, body: string, delayMs: number): StoredMessage;
  /** Oldest first. */
  list(queue: string): readonly StoredMessage[];
  /** Hands out visible messages, the oldest first, and hides them for so long. */
  take(queue: string, count: number, hiddenMs: number): readonly StoredMessage[];
  /** Moves visible messages that were handed out that often to another queue; returns those. */
  move(from: string, to: string, received: number): readonly StoredMessage[];
  /** Only the last receipt that was given for a message deletes it. */
  delete(queue: string, receipt: string): void;
  deleteSentBefore(queue: string, time: number): void;
  count(queue: string): MessageCounts;
  /** When the next hidden message is to be seen; undefined where none is hidden. */
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

/** A power cut may cost the last messages of a local run, but never the file. */
const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec(schema);
  // Whoever held these ended with the process before.
  database.exec('UPDATE messages SET visible_at = 0, receipt = NULL WHERE receipt IS NOT NULL');
  return database;
};

/** @param file absent: nothing is kept */
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
