/** Reads SQS queues: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queue.html */
import * as z from 'zod';
import type { Resource } from './assembly.ts';
import type { Queue } from './model.ts';
import { queueArn } from './names.ts';
import { checkProperties, type Reader, UnsupportedResourceError } from './reader.ts';

const queueSchema = z.object({
  DelaySeconds: z.int().min(0).max(900).default(0),
  MaximumMessageSize: z.int().min(1024).max(1_048_576).default(1_048_576),
  MessageRetentionPeriod: z.int().min(60).max(1_209_600).default(345_600),
  QueueName: z.string().optional(),
  ReceiveMessageWaitTimeSeconds: z.int().min(0).max(20).default(0),
  RedrivePolicy: z
    .strictObject({
      deadLetterTargetArn: z.string(),
      maxReceiveCount: z.int().min(1).max(1000),
    })
    .optional(),
  VisibilityTimeout: z.int().min(0).max(43_200).default(30),
});

/** Properties without an effect on a local queue. */
const withoutEffect = [
  'KmsDataKeyReusePeriodSeconds',
  'KmsMasterKeyId',
  'RedriveAllowPolicy',
  'SqsManagedSseEnabled',
  'Tags',
];

const readQueue = (reader: Reader, resource: Resource) => {
  checkProperties(resource, [...Object.keys(queueSchema.shape), ...withoutEffect]);
  const properties = reader.read(resource, queueSchema);
  const { QueueName: name = resource.id, RedrivePolicy: policy } = properties;
  const queue = {
    id: resource.id,
    name,
    arn: queueArn(name),
    delaySeconds: properties.DelaySeconds,
    maxMessageBytes: properties.MaximumMessageSize,
    receiveWaitSeconds: properties.ReceiveMessageWaitTimeSeconds,
    retentionSeconds: properties.MessageRetentionPeriod,
    visibilityTimeoutSeconds: properties.VisibilityTimeout,
  };
  return { resource, queue, policy };
};

/** @throws {TemplateError} for FIFO queues, and for a dead-letter queue outside the template */
export const readQueues = (reader: Reader): readonly Queue[] => {
  const read = reader.ofType('AWS::SQS::Queue').map((resource) => readQueue(reader, resource));
  return read.map(({ resource, queue, policy }) => {
    if (policy === undefined) return queue;
    const target = read.find((other) => other.queue.arn === policy.deadLetterTargetArn)?.queue;
    if (target === undefined) {
      const why = `${policy.deadLetterTargetArn} is not one of its queues`;
      throw new UnsupportedResourceError(resource, why);
    }
    const { maxReceiveCount } = policy;
    return { ...queue, redrive: { queueId: target.id, queueArn: target.arn, maxReceiveCount } };
  });
};
