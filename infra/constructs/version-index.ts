import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { followReviewStates } from './follow-review-states.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Lets only review states pass: each change of a version's evidence changes its review state. */
const reviewStates = FilterCriteria.filter({
  dynamodb: { Keys: { k: { S: FilterRule.isEqual('head') } } },
});

interface VersionIndexProps {
  /** The table of review states. Its stream drives the function. */
  readonly reviews: ITableV2;
  /** The function that updates the index. */
  readonly indexer: RegistryFunction;
}

/** Has a function index versions by their vulnerabilities and parent POMs, whenever their review states change. */
export class VersionIndex extends Construct {
  constructor(scope: Construct, id: string, { reviews, indexer }: VersionIndexProps) {
    super(scope, id);
    // The integrity check repairs entries whose record was skipped.
    followReviewStates(indexer, reviews, [reviewStates]);
  }
}
