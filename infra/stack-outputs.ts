import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { askAws } from './aws-errors.ts';

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'ValidationError' &&
  /does not exist/.test(error.message);

/** Returns the outputs of a stack by name. @throws {Error} in one sentence, if the stack is missing or cannot be read */
export const readStackOutputs = (stack: string): Promise<Readonly<Record<string, string>>> =>
  askAws(async () => {
    const client = new CloudFormationClient({});
    try {
      const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }));
      const outputs = Stacks?.[0]?.Outputs ?? [];
      return Object.fromEntries(
        outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      );
    } catch (error) {
      if (!isMissing(error)) throw error;
      const region = await client.config.region();
      throw new Error(
        `There is no stack ${stack} in the region ${region}: name another stack, or set AWS_REGION and the account's credentials.`,
      );
    }
  });

/** Returns an output of a stack. @throws {Error} in one sentence, if there is none */
export const readStackOutput = async (stack: string, name: string): Promise<string> => {
  const value = (await readStackOutputs(stack))[name];
  if (value !== undefined) return value;
  throw new Error(`The stack ${stack} has no output ${name}: name the stack of a registry.`);
};
