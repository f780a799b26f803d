import * as z from 'zod';
import type { FileEcosystem } from '../../ecosystems/ecosystem.ts';

/** URLs from which package managers get approved packages. */
const gates = {
  npm: z.url().describe('The registry of approved packages for npm and its like.'),
  pypi: z.url().describe('The index of approved packages for pip and its like.'),
  maven: z.url().describe('The repository of approved packages for Maven.'),
} satisfies Record<FileEcosystem, z.ZodURL>;

export const ServiceInfo = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    authentication: z
      .enum(['enabled', 'disabled'])
      .describe('Whether writing needs a token; disabled where none is configured.'),
    links: z
      .strictObject({
        openapi: z.url().describe('This document.'),
        console: z.url().describe('Where people review, in a browser.'),
        docs: z.url().describe('The reference for people.'),
        command_line: z.url().describe('The command line, as one file for Node.js.'),
        ...gates,
      })
      .describe('What else there is at this address.'),
  })
  .describe('What the service says of itself.');
export type ServiceInfo = z.infer<typeof ServiceInfo>;
