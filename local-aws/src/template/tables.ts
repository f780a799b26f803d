/** Reads tables: `AWS::DynamoDB::Table`, and `AWS::DynamoDB::GlobalTable`, which CDK's TableV2 creates. */
import * as z from 'zod';
import type { Resource } from './assembly.ts';
import type { Table } from './model.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

const keySchema = z.array(
  z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }),
);

const indexes = z
  .array(
    z.object({
      IndexName: z.string(),
      KeySchema: keySchema,
      Projection: z.object({
        ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
        NonKeyAttributes: z.array(z.string()).optional(),
      }),
    }),
  )
  .default([]);

const tableSchema = z.object({
  TableName: z.string().optional(),
  KeySchema: keySchema,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  LocalSecondaryIndexes: indexes,
  GlobalSecondaryIndexes: indexes,
  TimeToLiveSpecification: z
    .object({ AttributeName: z.string().optional(), Enabled: z.boolean() })
    .optional(),
  StreamSpecification: z
    .object({
      StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']),
    })
    .optional(),
  ImportSourceSpecification: z.unknown().optional(),
});

const readTable = (reader: Reader, resource: Resource): Table => {
  const properties = reader.read(resource, tableSchema);
  if (properties.ImportSourceSpecification !== undefined) {
    throw new UnsupportedResourceError(resource, 'it is imported from S3');
  }
  const expiry = properties.TimeToLiveSpecification;
  const stream = properties.StreamSpecification;
  return {
    id: resource.id,
    name: properties.TableName ?? resource.id,
    keySchema: properties.KeySchema,
    attributes: properties.AttributeDefinitions,
    localIndexes: properties.LocalSecondaryIndexes,
    globalIndexes: properties.GlobalSecondaryIndexes,
    ...(expiry?.Enabled &&
      expiry.AttributeName !== undefined && { timeToLiveAttribute: expiry.AttributeName }),
    ...(stream && { streamViewType: stream.StreamViewType }),
  };
};

export const readTables = (reader: Reader): readonly Table[] =>
  reader
    .ofType('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table')
    .map((resource) => readTable(reader, resource));
