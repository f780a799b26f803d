/** CloudFormation's operation DescribeStacks: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
import { type ApiAnswer, ApiError } from '../api-call.ts';
import { answerXml, escapeXml } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { stackArn } from '../template/names.ts';

/** What CloudFormation knows about a stack. */
export interface DescribedStack {
  readonly name: string;
  readonly outputs: Readonly<Record<string, string>>;
}

const startedAt = new Date();

const writeMember = ([name, value]: readonly [string, string]): string =>
  `<member><OutputKey>${escapeXml(name)}</OutputKey><OutputValue>${escapeXml(value)}</OutputValue></member>`;

/**
 * Returns the answer about the stack. A local stack has no rollback: it is complete, or it does not start.
 * @throws {ApiError} for another operation or another stack
 */
export const describeStacks = (
  { name, outputs }: DescribedStack,
  operation: string,
  { StackName }: JsonObject,
): ApiAnswer => {
  if (operation !== 'DescribeStacks') {
    throw new ApiError('InvalidAction', `${operation} is not available here`);
  }
  if (![undefined, name, stackArn(name)].includes(StackName as string | undefined)) {
    throw new ApiError('ValidationError', `Stack with id ${StackName} does not exist`);
  }
  const members = Object.entries(outputs).map(writeMember).join('');
  return answerXml(
    200,
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackId>${stackArn(name)}</StackId><StackName>${name}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>${startedAt.toISOString()}</CreationTime><Outputs>${members}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
};
