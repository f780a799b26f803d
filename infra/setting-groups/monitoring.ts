import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { arn, flag, positive, whole } from '../setting-kinds.ts';

const retentionDays = Object.values(RetentionDays).filter((days) => typeof days === 'number');

/** Settings of alarms, logs and metrics. */
export const monitoringSettings = {
  /** The recipients of alarms: an e-mail address, an existing SNS topic, or both. */
  alarmEmail: z.email({ error: 'must be an e-mail address' }).optional(),
  alarmTopicArn: arn('sns:[^:]+:\\d{12}:[^:]+', 'an SNS topic').optional(),
  /** Whether X-Ray traces requests, at a price. */
  tracing: flag.default(false),
  /** Whether the stack has a CloudWatch dashboard. An account pays from its fourth dashboard on. */
  dashboard: flag.default(true),
  /** The number of requests within five minutes that triggers an alarm. */
  requestSurge: positive('requests').default(30_000),
  /** The 99th percentile of the latency that triggers an alarm. */
  slowAnswerMs: positive('milliseconds').default(3000),
  /** The number of requests without a valid token within five minutes that triggers an alarm. */
  refusalBurst: positive('requests').default(100),
  logRetentionDays: whole('must be a number of days')
    .refine((days) => retentionDays.includes(days as RetentionDays), {
      error: `must be one of ${retentionDays.join(', ')}`,
    })
    .default(90),
};
