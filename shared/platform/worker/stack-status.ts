import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

const cloudFormation = new CloudFormationClient({
  // CloudFormation throttles an account that deploys many stacks.
  maxAttempts: 6,
  retryMode: 'standard',
  // Without `throwOnRequestTimeout`, the SDK only warns about a slow request and continues to wait.
  requestHandler: { connectionTimeout: 2000, requestTimeout: 5000, throwOnRequestTimeout: true },
});

/** Time limit for all attempts, to the last byte, in milliseconds. */
const timeoutMs = 40_000;

/** Resolves to true while CloudFormation rolls a failed deployment of the stack back. Rejects if CloudFormation does not answer. */
export const isRollingBack = async (stackId: string): Promise<boolean> => {
  const { Stacks = [] } = await cloudFormation.send(
    new DescribeStacksCommand({ StackName: stackId }),
    { abortSignal: AbortSignal.timeout(timeoutMs) },
  );
  const status = Stacks[0]?.StackStatus;
  if (status === undefined) throw new Error('CloudFormation answered without a status');
  return status.includes('ROLLBACK');
};
