import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { optional } from './text.ts';

/** Claim of the review of a version: who looks at it, and until when. */
export const Claim = z
  .strictObject({
    by: z.string().nullable().describe('Who looks at the version: the label of the token.'),
    until: Timestamp.describe('When the claim ends. A decision ends it, too.'),
  })
  .describe('The claim of a review, for other reviewers. It blocks no decision.');
export type Claim = z.infer<typeof Claim>;

export const ClaimRequest = z
  .strictObject({
    end: optional(z.boolean()).describe('True to end the claim in force, also of somebody else.'),
  })
  .describe('A claim of the review of a version for an hour, or its end.');
export type ClaimRequest = z.output<typeof ClaimRequest>;

export const ClaimAnswer = z
  .strictObject({
    ...{ ecosystem: Ecosystem, name: z.string(), version: z.string() },
    claim: Claim.nullable().describe('The claim in force. Null if there is none.'),
    replaced: Claim.nullable().describe(
      'The claim of somebody else that the request replaced or ended. Null if there was none.',
    ),
  })
  .describe('The claim of the review of a version.');
export type ClaimAnswer = z.infer<typeof ClaimAnswer>;
