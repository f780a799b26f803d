import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Says why a rule of cdk-nag's AwsSolutions pack does not hold for a construct and all below it. */
export const acknowledge = (
  construct: IConstruct,
  reasons: Readonly<Record<string, string>>,
): void => {
  const acknowledged = Object.entries(reasons).map(([rule, reason]) => ({
    id: `AwsSolutions::AwsSolutions-${rule}`,
    reason,
  }));
  Validations.of(construct).acknowledge(...acknowledged);
};
