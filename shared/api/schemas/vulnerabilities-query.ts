import * as z from 'zod';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import { Limit } from './query.ts';

const maxPlaceBytes = 1000;

const place = (pattern: RegExp) =>
  z
    .string()
    .refine((text) => pattern.test(text) && Buffer.byteLength(text) <= maxPlaceBytes, {
      error: 'must be `next` of the page before',
    })
    .optional()
    .describe('Continues a list: `next` of the previous page.');

export const VulnerabilitiesQuery = z.strictObject({
  severity: z
    .enum(severities, { error: `must be one of ${severities.join(', ')}` })
    .optional()
    .describe('Only vulnerabilities with this highest severity.'),
  status: z
    .enum(['approved', 'all'], { error: 'must be approved or all' })
    .default('all')
    .describe('Only vulnerabilities of approved versions, or all.'),
  known_exploited: z
    .literal('true', { error: 'must be true; leave it out for all' })
    .transform(() => true)
    .optional()
    .describe('Only vulnerabilities that are known to be exploited.'),
  after: place(/^[0-4]\d\d\.\d#/),
  limit: Limit,
});
export type VulnerabilitiesQuery = z.output<typeof VulnerabilitiesQuery>;

export const VulnerabilityQuery = z.strictObject({
  after: place(/^[a-z]+#./),
  limit: Limit,
});
export type VulnerabilityQuery = z.output<typeof VulnerabilityQuery>;
