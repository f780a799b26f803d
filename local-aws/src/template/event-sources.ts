/** Reads event source mappings of table streams: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html */
import * as z from 'zod';
import type { Resource } from './assembly.ts';
import { type EventPattern, EventPatternError, parsePattern } from './event-pattern.ts';
import { findFunction } from './functions.ts';
import type { EventSource, LambdaFunction, Queue, Table } from './model.ts';
import { streamArn } from './names.ts';
import { isQueueMapping } from './queue-sources.ts';
import { type Reader, readWhole, UnsupportedResourceError } from './reader.ts';

/** Returns a schema for a limit between `least` and `most`. The value -1 means no limit. */
const makeLimitSchema = (least: number, most: number) =>
  z
    .union([z.literal(-1).transform(() => Number.POSITIVE_INFINITY), z.int().min(least).max(most)])
    .default(Number.POSITIVE_INFINITY);

const mappingSchema = z.object({
  BatchSize: z.int().min(1).max(10_000).default(100),
  BisectBatchOnFunctionError: z.boolean().default(false),
  DestinationConfig: z
    .strictObject({ OnFailure: z.strictObject({ Destination: z.string() }).optional() })
    .default({}),
  Enabled: z.boolean().default(true),
  EventSourceArn: z.string(),
  FilterCriteria: z
    .strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })).default([]) })
    .default({ Filters: [] }),
  FunctionName: z.string(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  MaximumBatchingWindowInSeconds: z.int().min(0).max(300).default(0),
  MaximumRecordAgeInSeconds: makeLimitSchema(60, 604_800),
  MaximumRetryAttempts: makeLimitSchema(0, 10_000),
  ParallelizationFactor: z.int().min(1).max(10).default(1),
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']),
  Tags: z.unknown().optional(),
});

type Mapping = z.output<typeof mappingSchema>;

interface Parts {
  readonly functions: readonly LambdaFunction[];
  readonly tables: readonly Table[];
  readonly queues: readonly Queue[];
}

const readFilters = (resource: Resource, { FilterCriteria }: Mapping): readonly EventPattern[] => {
  try {
    return FilterCriteria.Filters.map(({ Pattern }) => parsePattern(Pattern));
  } catch (error) {
    throw error instanceof EventPatternError
      ? new UnsupportedResourceError(resource, error.message)
      : error;
  }
};

/** Returns the ids of a mapping's table, function and on-failure queue. */
const readEnds = (resource: Resource, mapping: Mapping, { functions, tables, queues }: Parts) => {
  const table = tables.find(({ name }) => mapping.EventSourceArn === streamArn(name));
  if (table?.streamViewType === undefined) {
    throw new UnsupportedResourceError(
      resource,
      `${mapping.EventSourceArn} is neither the stream of one of its tables nor one of its queues`,
    );
  }
  const target = findFunction(functions, mapping.FunctionName);
  if (target === undefined)
    throw new UnsupportedResourceError(resource, 'its function is not in the template');
  const destination = mapping.DestinationConfig.OnFailure?.Destination;
  const queue = queues.find(({ arn }) => arn === destination);
  if (destination !== undefined && queue === undefined) {
    throw new UnsupportedResourceError(resource, `${destination} is not one of its queues`);
  }
  return {
    tableId: table.id,
    functionId: target.id,
    ...(queue && { onFailureQueueId: queue.id }),
  };
};

const readEventSource = (reader: Reader, resource: Resource, parts: Parts): EventSource[] => {
  const mapping = readWhole(reader, resource, mappingSchema);
  if (!mapping.Enabled) return [];
  return [
    {
      id: resource.id,
      ...readEnds(resource, mapping, parts),
      batchSize: mapping.BatchSize,
      batchingWindowSeconds: mapping.MaximumBatchingWindowInSeconds,
      maxRetryAttempts: mapping.MaximumRetryAttempts,
      maxRecordAgeSeconds: mapping.MaximumRecordAgeInSeconds,
      bisectsOnError: mapping.BisectBatchOnFunctionError,
      parallelizationFactor: mapping.ParallelizationFactor,
      reportsItemFailures: mapping.FunctionResponseTypes.length > 0,
      filters: readFilters(resource, mapping),
      startingPosition: mapping.StartingPosition,
    },
  ];
};

/**
 * Returns the enabled event source mappings of streams.
 * @throws {TemplateError} for a source outside the template, and for properties that are not emulated
 */
export const readEventSources = (reader: Reader, parts: Parts): readonly EventSource[] =>
  reader
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter((resource) => !isQueueMapping(reader, resource, parts.queues))
    .flatMap((resource) => readEventSource(reader, resource, parts));
