import * as z from 'zod';
import { recordTypes } from '../../domain/review/record-type.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { Timestamp } from './package.ts';

const Text = z.string().nullable();

/** Event of a package version, a license or a vulnerability, with its sequence number. */
export const RegistryEvent = z
  .strictObject({
    sequence: z.int().positive().describe('Its place: 1 for the first, and no number is left out.'),
    id: z.string().describe('Stays the same, however often it is delivered.'),
    type: z.enum(recordTypes),
    at: Timestamp,
    ecosystem: z.enum(ecosystems).nullable(),
    name: Text.describe('Of the package; null where it is about none, or about all.'),
    version: Text.describe('Null where it is about none, or about all.'),
    license: Text.describe('Of what the event is about, where it is about a license.'),
    vulnerability: Text.describe('The id that was accepted, or is no more, in upper case.'),
    acceptance: Text.describe('Which of the acceptances of that id: its number.'),
    by: Text.describe('Who did it, as they said; null where nobody said, or nobody did.'),
    token_label: Text.describe('The label of the token that it was done with.'),
    from: Text.describe('Where it stood before.'),
    to: z.string().describe('Where it stands since.'),
    reason: Text,
    expires_at: Timestamp.nullable().describe('When an approval or an acceptance runs out.'),
  })
  .describe('Something that happened to a package version, a license or a vulnerability.');
export type RegistryEvent = z.infer<typeof RegistryEvent>;

export const EventPage = z
  .strictObject({
    events: z.array(RegistryEvent),
    next: z
      .int()
      .nonnegative()
      .describe('What to send as `after` to go on, now or when more has happened.'),
  })
  .describe('What happened after a place, in the order in which it was committed.');
export type EventPage = z.infer<typeof EventPage>;
