import * as z from 'zod';
import { recordTypes } from '../../domain/review/record-type.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { Timestamp } from './package.ts';

const Text = z.string().nullable();

/** Event of a package version, a license, a vulnerability or the registry, with its sequence number. */
export const RegistryEvent = z
  .strictObject({
    sequence: z.int().positive().describe('Sequence number: 1 for the first event, without gaps.'),
    id: z.string().describe('Identifier of the event, equal in each delivery.'),
    type: z.enum(recordTypes),
    at: Timestamp,
    ecosystem: z.enum(ecosystems).nullable(),
    name: Text.describe('The package name. Null if the event concerns none or all.'),
    version: Text.describe('The version. Null if the event concerns none or all.'),
    license: Text.describe('The license of the event, else null.'),
    vulnerability: Text.describe(
      'The id of an acceptance that began or ended, in upper case, or of a record of malware on which a person decided.',
    ),
    acceptance: Text.describe('The number of the acceptance under that id.'),
    by: Text.describe('The actor: the name in the request. Null if there is none.'),
    token_label: Text.describe('The label of the token of the request.'),
    from: Text.describe('The status before.'),
    to: z.string().describe('The status after.'),
    reason: Text,
    expires_at: Timestamp.nullable().describe('When an approval or an acceptance expires.'),
    projects: Text.describe(
      'The number of projects that use the version, for `project.affected`: 1,000 uses are counted at most.',
    ),
    before: Timestamp.nullable().describe(
      'Versions published after this time are refused by the freeze that began or ended.',
    ),
  })
  .describe('An event of a package version, a license, a vulnerability or the registry.');
export type RegistryEvent = z.infer<typeof RegistryEvent>;

export const EventPage = z
  .strictObject({
    events: z.array(RegistryEvent),
    next: z
      .int()
      .nonnegative()
      .describe('Cursor: send it as `after` to get later events, now or later.'),
  })
  .describe('Events after a sequence number, in the order of their commits.');
export type EventPage = z.infer<typeof EventPage>;
