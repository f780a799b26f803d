import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { followHeads } from './follow-heads.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Heads, and nothing else that is kept of a version: each change of what it has changes its head. */
const heads = FilterCriteria.filter({
  dynamodb: { Keys: { k: { S: FilterRule.isEqual('state') } } },
});

interface VersionIndexProps {
  /** The table whose stream tells of every change of a version's head. */
  readonly reviews: ITableV2;
  /** The function that lists versions by what follows from their heads. */
  readonly indexer: RegistryFunction;
}

/** Has versions listed by their vulnerabilities and the POMs that they lean on, as their heads change. */
export class VersionIndex extends Construct {
  constructor(scope: Construct, id: string, { reviews, indexer }: VersionIndexProps) {
    super(scope, id);
    // The integrity check repairs what the reader gives up.
    followHeads(indexer, reviews, heads);
  }
}
