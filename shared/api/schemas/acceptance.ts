import * as z from 'zod';
import { acceptanceEnds, maxAcceptanceDays } from '../../domain/vulnerabilities/acceptance.ts';
import { Ecosystem } from './ecosystem.ts';
import { implies } from './json-schema.ts';
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
    reason: lines(maxReasonLength).describe('Why it can be lived with; kept in the history.'),
    expires_at: Time.describe(
      `From when on it counts again: in the future, and within ${maxAcceptanceDays} days.`,
    ),
    ecosystem: optional(Ecosystem).describe('Only there; everywhere, if not given.'),
    name: optional(text(255)).describe('Only in this package of the ecosystem.'),
    version: optional(text(256)).describe(
      'Only in this version of the package, in any spelling that its ecosystem takes for the same.',
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
    description: 'That a vulnerability is to be lived with until a time, everywhere or there.',
    allOf: [implies(given('name'), given('ecosystem')), implies(given('version'), given('name'))],
  });
export type AcceptanceRequest = z.infer<typeof AcceptanceRequest>;

const AcceptanceEnd = z
  .strictObject({
    how: z.enum(acceptanceEnds),
    at: Timestamp,
    by: z.string().nullable().describe('The label of the token; null where it ran out.'),
    reason: z.string().nullable(),
  })
  .describe('How an acceptance ended.');

/** Risk acceptance, active or ended. */
export const Acceptance = z
  .strictObject({
    id: z.string().describe('In upper case.'),
    number: z.int().positive().describe('Counts the acceptances of that id, from 1.'),
    reason: z.string(),
    expires_at: Timestamp.describe('From then on it counts again.'),
    ecosystem: Ecosystem.nullable().describe('Where it holds; null: everywhere.'),
    name: z.string().nullable().describe('Null: in all packages.'),
    version: z.string().nullable().describe('Null: in all versions, also those to come.'),
    by: z.string().nullable().describe('The label of the token that it was made with.'),
    at: Timestamp.describe('When it was made.'),
    ended: AcceptanceEnd.nullable().describe('Null while it holds.'),
  })
  .describe('That a vulnerability is lived with.');
export type Acceptance = z.infer<typeof Acceptance>;

export const AcceptanceAnswer = Acceptance.extend({
  affects: z
    .int()
    .nonnegative()
    .describe(
      'How many versions have the vulnerability there, as far as is known by now; of one that was taken back, how many had been marked.',
    ),
  affects_at_least: z
    .boolean()
    .describe('Whether it is at least so many, where counting them all would take too long.'),
}).describe('That a vulnerability is lived with, and how many versions that is about.');
export type AcceptanceAnswer = z.infer<typeof AcceptanceAnswer>;

export const AcceptanceWithdrawal = z
  .strictObject({ reason: lines(maxReasonLength).describe('Kept in the history.') })
  .describe('Why an acceptance is taken back.');
export type AcceptanceWithdrawal = z.infer<typeof AcceptanceWithdrawal>;
