import { oneOf } from '../../shared/api/schemas/one-of.ts';
import { reaches } from '../../shared/domain/packages/reach.ts';
import { defaultBlockingIssues, issueCodes } from '../../shared/domain/review/approval.ts';
import { maxApprovalDays } from '../../shared/domain/review/choose-expiry.ts';
import { arn, file, flag, httpsUrl, positive, someOf, whole } from '../setting-kinds.ts';

/** Settings of reviews and decisions. */
export const reviewSettings = {
  /** The JSON file with the license policy, relative to the project's folder. */
  licensePolicy: file.default('infra/license-policy.json'),
  /** The review policy, whose rules decide routine versions: a preset such as balanced@2, or a JSON file in the project. */
  reviewPolicy: file.default('infra/review-policy.json'),
  /** Whether an approval needs an approved license. Otherwise only a rejected license blocks it. */
  requireApprovedLicense: flag.default(false),
  /** The issues that block an approval without an override. With a preset as the review policy, `too_young` is one by default. */
  blockingIssues: someOf(...issueCodes).default(defaultBlockingIssues.join(',')),
  /** The minimum age of a version in days. A younger version has an issue. With a preset as the review policy, 7 by default. */
  minimumAgeDays: whole('must be a number of days').default(0),
  /** The days after which an approval without its own expiry date expires. 0 means never. */
  approvalDays: whole('must be a number of days')
    .refine((days) => days <= maxApprovalDays, { error: `must be at most ${maxApprovalDays}` })
    .default(0),
  /** The URL that receives each event, and the secret for its header. Each needs the other. */
  webhookUrl: httpsUrl.optional(),
  webhookSecretArn: arn(
    'secretsmanager:[^:]+:\\d{12}:secret:[^:]+',
    'a Secrets Manager secret',
  ).optional(),
  /** The largest step of the updates that the registry submits itself. With the presets balanced and strict, minor by default. */
  followUpdates: oneOf(['none', ...reaches]).default('none'),
  /** The updates, with their dependencies, that the registry submits in a day. Security fixes have a fifth for themselves. */
  updatesPerDay: positive('updates').default(1000),
  /** Whether each approval and rejection is signed with a key of the stack, which has a price. */
  signDecisions: flag.default(false),
  /** The interval in days at which the integrity check begins. 0 means never. */
  integrityDays: whole('must be a number of days').default(7),
};
