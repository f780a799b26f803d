import type { Template } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { allPages } from '../../../shared/api/non-api-routes.ts';
import { findTableDefinition, type TableId, tables } from '../../../shared/api/resources.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { findResource, listResources, type Property, toLogicalId } from './property.ts';
import { streamOf } from './references.ts';

const tableIds = Object.keys(tables) as TableId[];
const streamed = tableIds.filter((id) => findTableDefinition(id).streamed);

/** DynamoDB slows down a stream that more read. */
const mostReaders = 2;

/** The streams of which one reader passes on to all others what they need. */
const readers: Readonly<Partial<Record<TableId, number>>> = {
  packages: 1,
  decisions: 1,
  events: 1,
  // Another one is to come.
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

/** Function, role and method; its part of a path comes on top. */
const endpointResources = 3;

/** Returns the resources of a function and those that mention it, without the role that names every function. */
const listOfFunction = (template: Template, id: string): string[] => {
  const { id: gatewayRole } = findResource(template, 'AWS::IAM::Role', 'ApiRole');
  const resources = Object.entries(template.toJSON()['Resources']).filter(
    ([name]) => name !== gatewayRole,
  );
  const isOwn = (name: string): boolean => new RegExp(`^${toLogicalId(id)}[A-Z]`).test(name);
  const own = resources.map(([name]) => name).filter(isOwn);
  const mentioning = resources.filter(([, resource]) =>
    own.some((name) => name.includes('Function') && JSON.stringify(resource).includes(`"${name}"`)),
  );
  return [...new Set([...own, ...mentioning.map(([name]) => name)])];
};

/** What there is room for, so that the stack and its streams have room for what is to come. */
export const budgetProperties: readonly Property[] = [
  ...streamed.map(
    (id): Property => ({
      why: `has ${readers[id] ?? `at most ${mostReaders}`} to read the stream of ${id}: DynamoDB slows down what more than ${mostReaders} read`,
      check: (template) => {
        const count = countReaders(template, id);
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThanOrEqual(readers[id] ?? mostReaders);
      },
    }),
  ),
  {
    why: 'adds no global index: each would make every write of its table dearer',
    check: (template) => {
      for (const { Properties } of listResources(template, 'AWS::DynamoDB::GlobalTable')) {
        expect(Properties.GlobalSecondaryIndexes ?? []).toEqual([]);
      }
    },
  },
  ...[...allRoutes, ...allPages].map(
    ({ id }): Property => ({
      why: `spends ${endpointResources} resources on ${id}, and its part of a path, of the 500 that a stack may have`,
      check: (template) => {
        expect(listOfFunction(template, id).length).toBeLessThanOrEqual(endpointResources);
      },
    }),
  ),
];
