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
  .describe('A version whose approval expires.');
export type Expiration = z.infer<typeof Expiration>;

export const ExpirationPage = z
  .strictObject({
    expirations: z.array(Expiration),
    next: z.string().nullable().describe('Cursor: send it as `after` to get the next page.'),
  })
  .describe('Approvals with an expiry date, the earliest first.');
export type ExpirationPage = z.infer<typeof ExpirationPage>;
