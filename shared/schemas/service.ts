import * as z from 'zod';

/** What the service root says of itself. */
export const ServiceInfo = z.strictObject({
  name: z.string(),
  version: z.string(),
  authentication: z.enum(['enabled', 'disabled']),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;
