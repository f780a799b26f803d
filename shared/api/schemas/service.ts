import * as z from 'zod';
import type { FileEcosystem } from '../../ecosystems/ecosystem.ts';
import { Freeze } from './freeze.ts';

/** URLs from which package managers get approved packages. */
const gates = {
  npm: z.url().describe('Dependency firewall for npm, pnpm, Yarn and Bun.'),
  pypi: z.url().describe('Dependency firewall for pip, uv and Poetry.'),
  maven: z.url().describe('Dependency firewall for Maven.'),
} satisfies Record<FileEcosystem, z.ZodURL>;

export const ServiceInfo = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    authentication: z
      .enum(['enabled', 'disabled'])
      .describe('Whether writing needs a token. `disabled` if no token is configured.'),
    sign_in: z
      .strictObject({
        issuer: z.url().describe('The issuer, which has a discovery document.'),
        client_id: z.string().describe('The public client of the console and the command line.'),
      })
      .nullable()
      .describe(
        'How people sign in by OpenID Connect. Requests then carry the ID token in `Authorization: Bearer`. Null if all callers need a token.',
      ),
    job_audience: z
      .string()
      .nullable()
      .describe('The audience of ID tokens of CI jobs. Null if jobs need a token.'),
    freeze: Freeze.nullable().describe('The freeze in force. Null if the registry is not frozen.'),
    links: z
      .strictObject({
        openapi: z.url().describe('The OpenAPI document.'),
        console: z.url().describe('The review console, for browsers.'),
        docs: z.url().describe('The API reference, for browsers.'),
        command_line: z.url().describe('The command line, as one file for Node.js.'),
        ...gates,
      })
      .describe('Other addresses of this service.'),
  })
  .describe('Name, version and addresses of the service.');
export type ServiceInfo = z.infer<typeof ServiceInfo>;
