/** `npm run tokens`: issues and revokes the tokens of a deployment or of the local registry. */
import { parseArgs } from 'node:util';
import { TokenListError } from '../../shared/domain/tokens/token-list.ts';
import { describeAwsError } from '../aws-errors.ts';
import { UsageError } from '../usage-error.ts';
import { type CommandFlags, commands } from './commands.ts';
import { findSecret } from './find-secret.ts';

const usage = `Usage: npm run tokens -- COMMAND [flags]

  list   [--used]                             list labels, scopes, fingerprints and dates; with --used
                                              also the last use of each token (needs --stack)
  issue  --label NAME [--scope submit|review] [--expires 90d]
                                              create a token and print it
  revoke --label NAME | --fingerprint DIGITS  revoke tokens
  rotate --label NAME [--scope submit|review] [--expires 90d]
                                              create another token; the newest one stays valid
  rotate                                      replace the token that the deployment generated
  freeze                                      suspend all tokens, so that nobody can write
  thaw                                        restore the list from before the freeze

Registry:
  --stack NAME      a deployment, by its stack (by its output TokensSecretArn)
  --secret-arn ARN  a deployment, by the secret with its token list
  --data DIR        the local registry on this folder (default .registry)

Standard output has the new token, or the table. A command changes the list only if nobody
else changed it at the same time. Exits with 1 if a command failed, which changes nothing,
and with 2 for wrong usage.`;

const parse = () => {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...{
          label: text,
          scope: text,
          fingerprint: text,
          expires: text,
          used: { type: 'boolean' },
          stack: text,
          'secret-arn': text,
        },
        data: { type: 'string', default: '.registry' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** The flags of each command, without those that name the registry. */
const ownFlags: Readonly<Record<string, readonly (keyof CommandFlags)[]>> = {
  list: ['used'],
  issue: ['label', 'scope', 'expires'],
  revoke: ['label', 'fingerprint'],
  rotate: ['label', 'scope', 'expires'],
};

const checkFlags = (name: string, flags: CommandFlags): void => {
  for (const flag of ['label', 'scope', 'fingerprint', 'expires', 'used'] as const) {
    if (flags[flag] === undefined || ownFlags[name]?.includes(flag)) continue;
    throw new UsageError(`${name} does not accept --${flag}.`);
  }
};

const formatRow = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => cell.padEnd([24, 14, 17, 11, 11, 24][at] ?? 0))
    .join(' ')
    .trimEnd();

const run = async (): Promise<void> => {
  const { values, positionals } = parse();
  if (values.help) return console.log(usage);
  const [name = '', ...others] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || others.length > 0)
    throw new UsageError(`A command is required: ${Object.keys(commands).join(', ')}.`);
  checkFlags(name, values);
  const { token, entries = [], message } = await command(await findSecret(values), values);
  if (token !== undefined) console.log(token);
  const isUsed = values.used === true;
  const headings = ['LABEL', 'SCOPES', 'FINGERPRINT', 'CREATED', 'EXPIRES'];
  if (entries.length > 0) {
    console.log(formatRow([...headings, ...(isUsed ? ['LAST USED (UTC)'] : []), 'STORED AS']));
  }
  for (const { label, scopes, fingerprint, created, expires, used, written } of entries) {
    const uses = used === undefined ? [] : [used];
    console.log(formatRow([label, scopes, fingerprint, created, expires, ...uses, written]));
  }
  console.error(message);
};

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  // Messages of this error continue a sentence about the list.
  if (error instanceof TokenListError)
    return `The token list ${error.message}: correct it by hand.`;
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'The registry does not run: start it with npm start, or choose another with --data or --stack.';
  }
  return describeAwsError(error);
};

try {
  await run();
} catch (error) {
  console.error(describe(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
