import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { followHeads } from './follow-heads.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Heads of versions on which nobody decided yet: rules look at no other. */
const undecidedHeads = FilterCriteria.filter({
  dynamodb: {
    Keys: { k: { S: FilterRule.isEqual('state') } },
    NewImage: {
      status: { S: FilterRule.isEqual('pending') },
      revision: { N: FilterRule.isEqual('0') },
    },
  },
});

interface ReviewPolicyProps {
  /** The table whose stream tells of every change of a version's head. */
  readonly reviews: ITableV2;
  /** The function that holds versions against the rules. */
  readonly judge: RegistryFunction;
}

/** Has rules look at versions, as enough becomes known of them. */
export class ReviewPolicy extends Construct {
  constructor(scope: Construct, id: string, { reviews, judge }: ReviewPolicyProps) {
    super(scope, id);
    followHeads(judge, reviews, undecidedHeads);
  }
}
