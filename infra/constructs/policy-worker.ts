import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { followReviewStates } from './follow-review-states.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Lets only review states of versions without a decision pass: rules evaluate no others. */
const withoutDecision = FilterCriteria.filter({
  dynamodb: {
    Keys: { k: { S: FilterRule.isEqual('head') } },
    NewImage: {
      status: { S: FilterRule.isEqual('pending') },
      revision: { N: FilterRule.isEqual('0') },
    },
  },
});

interface ReviewPolicyProps {
  /** The table of review states. Its stream drives the function. */
  readonly reviews: ITableV2;
  /** The function that evaluates the rules for a version. */
  readonly judge: RegistryFunction;
}

/** Has a function evaluate the review policy whenever a pending version changes. */
export class ReviewPolicy extends Construct {
  constructor(scope: Construct, id: string, { reviews, judge }: ReviewPolicyProps) {
    super(scope, id);
    followReviewStates(judge, reviews, withoutDecision);
  }
}
