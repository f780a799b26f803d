import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { policyRunPartition } from '../../shared/api/resources.ts';
import {
  dependsOnOtherVersions,
  type ReviewPolicy as Policy,
} from '../../shared/domain/policy/rule.ts';
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

/** Lets only the steps of runs over all pending versions pass. */
const ofRun = FilterCriteria.filter({
  dynamodb: { Keys: { v: { S: FilterRule.isEqual(policyRunPartition) } } },
});

const filterStatus = (before: unknown, after: unknown) =>
  FilterCriteria.filter({
    dynamodb: {
      Keys: { k: { S: FilterRule.isEqual('head') } },
      OldImage: { status: { S: before } },
      NewImage: { status: { S: after } },
    },
  });

const others = FilterRule.or('pending', 'rejected');
const approved = FilterRule.isEqual('approved');

/** Lets only versions pass that were approved, or whose approval ended. */
const ofApproval = [filterStatus(others, approved), filterStatus(approved, others)];

interface ReviewPolicyProps {
  /** The table of review states. Its stream drives the function. */
  readonly reviews: ITableV2;
  /** The function that evaluates the rules for a version. */
  readonly judge: RegistryFunction;
  readonly policy: Policy;
}

/**
 * Has a function evaluate the review policy whenever a pending version changes, a run covers all of them, or a rule depends
 * on other approved versions of the package.
 */
export class ReviewPolicy extends Construct {
  constructor(scope: Construct, id: string, { reviews, judge, policy }: ReviewPolicyProps) {
    super(scope, id);
    const siblings = dependsOnOtherVersions(policy) ? ofApproval : [];
    followReviewStates(judge, reviews, [withoutDecision, ofRun, ...siblings]);
  }
}
