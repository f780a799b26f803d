/** `npm run tokens`: issues and revokes the tokens of a deployment or of the local registry. */
import { parseArgs } from 'node:util';
import { TokenListError } from '../../shared/domain/tokens/token-list.ts';
import { type CommandFlags, commands } from './commands.ts';
import { findSecret } from './find-secret.ts';
import { UsageError } from './usage-error.ts';

const usage = `Usage: npm run tokens -- COMMAND [flags]

  list                                        who has tokens, what for, and their fingerprints
  issue  --label NAME [--scope submit|review] make a token, and print it
  revoke --label NAME | --fingerprint DIGITS  have tokens stop
  rotate --label NAME [--scope submit|review] make another; the newest before it stays for now
  rotate                                      replace the token that the deployment generated
  freeze                                      have all tokens stop, so that nobody can write
  thaw                                        have them work again

Of which registry:
  --stack NAME      a deployment, by its stack (asks the AWS CLI for the output TokensSecretArn)
  --secret-arn ARN  a deployment, by the secret with its token list
  --data DIR        the one that npm start runs on this folder (default .registry)

Standard output has the token that was made, or the table. The list is read, changed, and put in its
place only if it is still the one that was read. Exits with 1 if it could not be done; then
the list before it holds. 2: wrong usage.`;

const parse = () => {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...{ label: text, scope: text, fingerprint: text, stack: text, 'secret-arn': text },
        data: { type: 'string', default: '.registry' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** The flags that each command takes besides those that name a registry. */
const ownFlags: Readonly<Record<string, readonly (keyof CommandFlags)[]>> = {
  issue: ['label', 'scope'],
  revoke: ['label', 'fingerprint'],
  rotate: ['label', 'scope'],
};

const checkFlags = (name: string, flags: CommandFlags): void => {
  for (const flag of ['label', 'scope', 'fingerprint'] as const) {
    if (flags[flag] === undefined || ownFlags[name]?.includes(flag)) continue;
    throw new UsageError(`${name} takes no --${flag}.`);
  }
};

const formatRow = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => cell.padEnd([24, 16, 18][at] ?? 0))
    .join(' ')
    .trimEnd();

const run = async (): Promise<void> => {
  const { values, positionals } = parse();
  if (values.help) return console.log(usage);
  const [name = '', ...others] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || others.length > 0)
    throw new UsageError(`Which command? ${Object.keys(commands).join(', ')}`);
  checkFlags(name, values);
  const { token, entries = [], told } = await command(findSecret(values), values);
  if (token !== undefined) console.log(token);
  if (entries.length > 0) console.log(formatRow(['LABEL', 'FOR', 'FINGERPRINT', 'WRITTEN']));
  for (const { label, scopes, fingerprint, written } of entries) {
    console.log(formatRow([label, scopes, fingerprint, written]));
  }
  console.error(told);
};

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  // Its message follows the name of the list.
  if (error instanceof TokenListError) return `The token list ${error.message}: mend it by hand.`;
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'The registry does not run: start it by npm start, or name another by --data or --stack.';
  }
  return error.message;
};

try {
  await run();
} catch (error) {
  console.error(describe(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
