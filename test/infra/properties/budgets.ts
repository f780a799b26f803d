import type { Template } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import { allPages } from '../../../shared/api/non-api-routes.ts';
import { findTableDefinition, type TableId, tableIds } from '../../../shared/api/resources.ts';
import { findResource, listResources, type Property, toLogicalId } from './property.ts';
import { streamOf } from './references.ts';

const streamed = tableIds.filter((id) => findTableDefinition(id).streamed);

/** The most consumers of a stream before DynamoDB throttles them. */
const mostReaders = 2;

/** Streams with a single consumer, which forwards records to others. Decisions have a second one, which signs them. */
const readers: Readonly<Partial<Record<TableId, number>>> = {
  packages: 1,
  decisions: 2,
  events: 1,
  reviews: 1,
};

const countReaders = (template: Template, id: TableId): number => {
  const stream = JSON.stringify(streamOf(template, id));
  const sources = [
    ...listResources(template, 'AWS::Lambda::EventSourceMapping').map(
      ({ Properties }) => Properties.EventSourceArn,
    ),
    ...listResources(template, 'AWS::Pipes::Pipe').map(({ Properties }) => Properties.Source),
  ];
  return sources.filter((source) => JSON.stringify(source) === stream).length;
};

/** The function, the role and the method of an endpoint. Its path may need another resource. */
const endpointResources = 3;

/** Returns the names of the resources that mention every function: the role of API Gateway, and the migration after them. */
const listShared = (template: Template): string[] =>
  [
    findResource(template, 'AWS::IAM::Role', 'ApiRole'),
    findResource(template, 'Custom::DataFormat', 'DataMigration'),
  ].map(({ id }) => id);

/** Returns the resources of a function and those that mention it, without the shared ones. */
const listOfFunction = (template: Template, id: string): string[] => {
  const shared = new Set(listShared(template));
  const resources = Object.entries(template.toJSON()['Resources']).filter(
    ([name]) => !shared.has(name),
  );
  const isOwn = (name: string): boolean => new RegExp(`^${toLogicalId(id)}[A-Z]`).test(name);
  const own = resources.map(([name]) => name).filter(isOwn);
  const mentioning = resources.filter(([, resource]) =>
    own.some((name) => name.includes('Function') && JSON.stringify(resource).includes(`"${name}"`)),
  );
  return [...new Set([...own, ...mentioning.map(([name]) => name)])];
};

/** Limits that leave room for more endpoints and stream consumers. */
export const budgetProperties: readonly Property[] = [
  ...streamed.map(
    (id): Property => ({
      why: `has ${readers[id] ?? `at most ${mostReaders}`} consumers of the stream of ${id}: DynamoDB throttles more than ${mostReaders}`,
      check: (template) => {
        const count = countReaders(template, id);
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThanOrEqual(readers[id] ?? mostReaders);
      },
    }),
  ),
  {
    why: 'has one global index, of the rows with a refresh of their own: another would raise the price of each write',
    check: (template) => {
      const indexes = listResources(template, 'AWS::DynamoDB::GlobalTable').flatMap(
        ({ Properties }): { IndexName: string }[] => Properties.GlobalSecondaryIndexes ?? [],
      );
      expect(indexes.map(({ IndexName }) => IndexName)).toEqual(['by-refresh']);
    },
  },
  ...[...allRoutes, ...allPages].map(
    ({ id }): Property => ({
      why: `has at most ${endpointResources} resources for ${id}, besides its path, of the 500 of a stack`,
      check: (template) => {
        expect(listOfFunction(template, id).length).toBeLessThanOrEqual(endpointResources);
      },
    }),
  ),
];
