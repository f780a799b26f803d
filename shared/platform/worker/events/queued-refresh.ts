import * as z from 'zod';
import { QueuedVersion } from './queued-version.ts';

/** Scheduled time of a refresh, ISO 8601: a message for another time than that of the schedule is out of date. */
const dueAt = z.string().min(1);

/**
 * JSON message of the queue of upstream metadata: a version, or a package whose approved versions are refreshed together. With
 * `due_at`, the schedule sent it.
 */
export const QueuedRefresh = z.union([
  QueuedVersion.extend({ due_at: dueAt.optional() }),
  QueuedVersion.omit({ version: true }).extend({ due_at: dueAt }),
]);
export type QueuedRefresh = z.infer<typeof QueuedRefresh>;
