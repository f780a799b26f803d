import type { Comment, CommentRequest } from '../../api/schemas/comment.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { addRecord } from '../../storage/decisions/records.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import { selectForWrite } from '../../storage/packages/find-versions.ts';
import { takeFromQuota } from '../../storage/quotas/quotas.ts';

/** Maximum number of comments of a token label in a day. Each one is an event, also for webhooks. */
const commentsPerDay = 200;

/**
 * Adds a comment or a question to the history of a version. Its status and its evidence stay as they are, so that no decision
 * in progress conflicts with it.
 * @throws {RegistryError} `quota_reached` after 200 comments of a label in a day
 */
export const commentPackage = async (
  selector: PackageSelector,
  { text, question }: CommentRequest,
  context: WriteContext<Comment>,
): Promise<Comment> => {
  const version = await selectForWrite(selector);
  await takeFromQuota({ name: 'commentsPerDay', most: commentsPerDay }, context);
  const { actor, now, deadline } = context;
  const status = statusAt(version, now);
  const at = now.toISOString();
  const isQuestion = question === true;
  const comment: Comment = {
    ...{ ecosystem: version.ecosystem, name: version.name, version: version.version, at },
    ...{ by: actor.label, text, question: isQuestion },
  };
  const record = addRecord(
    version,
    {
      ...{ type: 'package.commented', by: actor.label, from: status, to: status, reason: text },
      ...(isQuestion && { question: true }),
    },
    { actor, at },
  );
  await transact([record, ...context.remember(comment)], deadline);
  return comment;
};
