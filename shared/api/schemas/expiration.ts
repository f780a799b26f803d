import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';

/** Approval that will expire. */
export const Expiration = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    expires_at: Timestamp,
  })
  .describe('A version whose approval runs out.');
export type Expiration = z.infer<typeof Expiration>;

export const ExpirationPage = z
  .strictObject({
    expirations: z.array(Expiration),
    next: z.string().nullable().describe('What to send as `after` for the page after this one.'),
  })
  .describe('Approvals that will run out, the next ones first.');
export type ExpirationPage = z.infer<typeof ExpirationPage>;
