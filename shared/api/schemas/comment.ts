import * as z from 'zod';
import { maxCommentLength } from '../../domain/review/comments.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { lines, optional } from './text.ts';

export const CommentRequest = z
  .strictObject({
    text: lines(maxCommentLength).describe('The comment, which the history keeps as `reason`.'),
    question: optional(z.boolean()).describe(
      'True for a question. It is open until the next decision, or the next comment that is no question.',
    ),
  })
  .describe('A comment on a version, without a decision.');
export type CommentRequest = z.output<typeof CommentRequest>;

/** A comment on a version. */
export const Comment = z
  .strictObject({
    ...{ ecosystem: Ecosystem, name: z.string(), version: z.string(), at: Timestamp },
    by: z.string().nullable().describe('Who commented: the label of the token.'),
    text: z.string(),
    question: z.boolean(),
  })
  .describe('A comment on a version. The history keeps it.');
export type Comment = z.infer<typeof Comment>;
