import * as z from 'zod';
import { acceptanceEnds, maxAcceptanceDays } from '../../domain/vulnerabilities/acceptance.ts';
import { Ecosystem } from './ecosystem.ts';
import { holdTo, implies } from './json-schema.ts';
import { Timestamp } from './package.ts';
import { lines, optional, text } from './text.ts';
import { Time } from './time.ts';

const maxReasonLength = 2000;

const given = (field: string) => ({
  properties: { [field]: { type: 'string' } },
  required: [field],
});

/** Request to accept the risk of a vulnerability. */
export const AcceptanceRequest = z
  .strictObject({
    reason: lines(maxReasonLength).describe('Why the risk is acceptable. The history keeps it.'),
    expires_at: Time.describe(
      `When the acceptance expires: in the future, and within ${maxAcceptanceDays} days.`,
    ),
    ecosystem: optional(Ecosystem).describe('Only in this ecosystem. Without it, in all of them.'),
    name: optional(text(255)).describe('Only in this package of the ecosystem.'),
    version: optional(text(256)).describe(
      'Only in this version of the package, in any spelling that is equal in its ecosystem.',
    ),
  })
  .refine(({ name, ecosystem }) => !name || Boolean(ecosystem), {
    path: ['ecosystem'],
    error: 'is required where name is given',
  })
  .refine(({ version, name }) => !version || Boolean(name), {
    path: ['name'],
    error: 'is required where version is given',
  })
  .meta({
    description:
      'A request to accept the risk of a vulnerability until a time, everywhere or in one scope.',
    ...holdTo(implies(given('name'), given('ecosystem')), implies(given('version'), given('name'))),
  });
export type AcceptanceRequest = z.infer<typeof AcceptanceRequest>;

const AcceptanceEnd = z
  .strictObject({
    how: z.enum(acceptanceEnds),
    at: Timestamp,
    by: z.string().nullable().describe('The label of the token. Null for an expired acceptance.'),
    reason: z.string().nullable(),
  })
  .describe('How an acceptance ended.');

/** Risk acceptance, active or ended. */
export const Acceptance = z
  .strictObject({
    id: z.string().describe('The accepted id, in upper case.'),
    number: z.int().positive().describe('Number of the acceptance under its id, from 1.'),
    reason: z.string(),
    expires_at: Timestamp.describe(
      'When the acceptance expires and the vulnerability counts again.',
    ),
    ecosystem: Ecosystem.nullable().describe('The ecosystem of the acceptance. Null for all.'),
    name: z.string().nullable().describe('The package of the acceptance. Null for all.'),
    version: z
      .string()
      .nullable()
      .describe('The version of the acceptance. Null for all, including future ones.'),
    by: z.string().nullable().describe('The label of the token of the acceptance.'),
    at: Timestamp.describe('When the acceptance was made.'),
    ended: AcceptanceEnd.nullable().describe('Null while the acceptance is active.'),
  })
  .describe('An accepted risk of a vulnerability.');
export type Acceptance = z.infer<typeof Acceptance>;

export const AcceptanceAnswer = Acceptance.extend({
  affects: z
    .int()
    .nonnegative()
    .describe(
      'Number of currently known versions with the vulnerability in its scope. For a withdrawn acceptance, the number of versions that it applied to.',
    ),
  affects_at_least: z
    .boolean()
    .describe('True if `affects` is a lower bound, because a full count takes too long.'),
}).describe('An accepted risk, with the number of affected versions.');
export type AcceptanceAnswer = z.infer<typeof AcceptanceAnswer>;

export const AcceptanceWithdrawal = z
  .strictObject({ reason: lines(maxReasonLength).describe('The reason, which the history keeps.') })
  .describe('A request to withdraw an acceptance.');
export type AcceptanceWithdrawal = z.infer<typeof AcceptanceWithdrawal>;
