import * as z from 'zod';
import { Ecosystem } from '../../../api/schemas/ecosystem.ts';

/** JSON message of a queue about a package version. In a dead-letter queue, it shows operators the version. */
export const QueuedVersion = z.object({
  ecosystem: Ecosystem,
  name: z.string().min(1),
  version: z.string().min(1),
});
export type QueuedVersion = z.infer<typeof QueuedVersion>;
