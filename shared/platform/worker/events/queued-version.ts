import * as z from 'zod';
import { Ecosystem } from '../../../api/schemas/ecosystem.ts';

/** A message of a queue about a package version, as JSON. Whoever finds it given up reads there which one it was. */
export const QueuedVersion = z.object({
  ecosystem: Ecosystem,
  name: z.string().min(1),
  version: z.string().min(1),
});
export type QueuedVersion = z.infer<typeof QueuedVersion>;
