import * as z from 'zod';
import type { Freeze as DomainFreeze } from '../../domain/review/freeze.ts';
import { Timestamp } from './package.ts';
import { line } from './text.ts';
import { Time } from './time.ts';

/** The reason is part of each refusal, which has at most 1,000 characters. */
const maxReasonLength = 500;

export const FreezeRequest = z
  .strictObject({
    before: Time.describe(
      'Versions published after this time are refused, and versions without a known time. Not in the future.',
    ),
    reason: line(maxReasonLength).describe('Why. Each refusal shows it.'),
  })
  .describe('Request to freeze the registry.');
export type FreezeRequest = z.output<typeof FreezeRequest>;

export const Freeze = z
  .strictObject({
    before: Timestamp.describe(
      'Versions published after this time are refused, and versions without a known time. Of images, the time of the approval counts.',
    ),
    reason: z.string(),
    since: Timestamp.describe('When the registry was frozen.'),
    by: z.string().nullable().describe('Who froze it: the label of the token.'),
    token_label: z.string().nullable().describe('The label of the token of the request.'),
  })
  .describe(
    'A freeze: until it is lifted, rules approve nothing and later versions are refused.',
  ) satisfies z.ZodType<DomainFreeze>;

export const FreezeStatus = z
  .strictObject({ freeze: Freeze.nullable().describe('Null if the registry is not frozen.') })
  .describe('The freeze in force.');
export type FreezeStatus = z.infer<typeof FreezeStatus>;
