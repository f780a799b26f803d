/** Reads event source mappings of queues: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html */
import * as z from 'zod';
import type { Resource } from './assembly.ts';
import { findFunction } from './functions.ts';
import type { LambdaFunction, Queue, QueueSource } from './model.ts';
import { type Reader, readWhole, UnsupportedResourceError } from './reader.ts';

/** Lambda's initial number of concurrent batches, used if the template sets no limit. */
const defaultConcurrency = 5;

const mappingSchema = z.object({
  BatchSize: z.int().min(1).max(10).default(10),
  Enabled: z.boolean().default(true),
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  ScalingConfig: z
    .strictObject({ MaximumConcurrency: z.int().min(2).max(1000).default(defaultConcurrency) })
    .default({ MaximumConcurrency: defaultConcurrency }),
  Tags: z.unknown().optional(),
});

interface Parts {
  readonly functions: readonly LambdaFunction[];
  readonly queues: readonly Queue[];
}

const findQueue = (
  reader: Reader,
  resource: Resource,
  queues: readonly Queue[],
): Queue | undefined => {
  const { EventSourceArn } = reader.read(resource, mappingSchema.pick({ EventSourceArn: true }));
  return queues.find(({ arn }) => arn === EventSourceArn);
};

/** True if the mapping's source is a queue of the template. */
export const isQueueMapping = (
  reader: Reader,
  resource: Resource,
  queues: readonly Queue[],
): boolean => findQueue(reader, resource, queues) !== undefined;

/**
 * Throws if the visibility timeout is shorter than the function's timeout, as AWS does. Otherwise a message could be
 * received again while the function still processes it.
 */
const checkTimeouts = (resource: Resource, queue: Queue, target: LambdaFunction): void => {
  const { visibilityTimeoutSeconds: hidden } = queue;
  if (hidden >= target.timeoutSeconds) return;
  throw new UnsupportedResourceError(
    resource,
    `the visibility timeout of ${queue.id}, ${hidden} seconds, is less than the ${target.timeoutSeconds} seconds that ${target.id} may take`,
  );
};

const readQueueSource = (
  reader: Reader,
  resource: Resource,
  { functions, queues }: Parts,
): QueueSource[] => {
  const queue = findQueue(reader, resource, queues);
  if (queue === undefined) return [];
  const mapping = readWhole(reader, resource, mappingSchema);
  if (!mapping.Enabled) return [];
  const target = findFunction(functions, mapping.FunctionName);
  if (target === undefined)
    throw new UnsupportedResourceError(resource, 'its function is not in the template');
  checkTimeouts(resource, queue, target);
  return [
    {
      id: resource.id,
      queueId: queue.id,
      functionId: target.id,
      batchSize: mapping.BatchSize,
      maxConcurrency: mapping.ScalingConfig.MaximumConcurrency,
      reportsItemFailures: mapping.FunctionResponseTypes.length > 0,
    },
  ];
};

/**
 * Returns the enabled event source mappings of queues.
 * @throws {TemplateError} for properties that are not emulated, such as windows and filters
 */
export const readQueueSources = (reader: Reader, parts: Parts): readonly QueueSource[] =>
  reader
    .ofType('AWS::Lambda::EventSourceMapping')
    .flatMap((resource) => readQueueSource(reader, resource, parts));
