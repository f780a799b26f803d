import * as z from 'zod';

export const ServiceInfo = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    authentication: z
      .enum(['enabled', 'disabled'])
      .describe('Whether writing needs a token; disabled where none is configured.'),
  })
  .describe('What the service says of itself.');
export type ServiceInfo = z.infer<typeof ServiceInfo>;
