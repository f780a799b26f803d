/** `npm run outputs`: prints the outputs of a deployment as variables of a shell. */
import { parseArgs } from 'node:util';
import { SettingsError } from './settings-error.ts';
import { readStackOutputs } from './stack-outputs.ts';
import { readStackName } from './stage.ts';
import { UsageError } from './usage-error.ts';

const usage = `Usage: eval "$(npm run -s outputs -- [--stack NAME | --stage NAME])"

Prints a line NAME='VALUE' for each output of a deployment, as variables of a shell.

  --stack NAME  a deployment, by its stack (default PackageRegistry)
  --stage NAME  a deployment, by the stage with its settings

Uses the credentials and the region of AWS's settings, such as AWS_PROFILE and AWS_REGION. Exits
with 1 if the outputs cannot be read, and with 2 for wrong usage.`;

const parse = () => {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      options: { stack: text, stage: text, help: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** Returns the text between single quotes, for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const run = async (): Promise<void> => {
  const { stack, stage, help } = parse();
  if (help) return console.log(usage);
  if (stack !== undefined && stage !== undefined) {
    throw new UsageError('Pass --stack or --stage, not both.');
  }
  const name = stage === undefined ? (stack ?? 'PackageRegistry') : readStackName(stage);
  for (const [output, value] of Object.entries(await readStackOutputs(name))) {
    console.log(`${output}=${quote(value)}`);
  }
};

try {
  await run();
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof SettingsError;
  const { message } = error as Error;
  console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message);
  process.exitCode = isUsage ? 2 : 1;
}
