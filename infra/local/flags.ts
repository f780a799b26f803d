/** The command line of `npm start`. */
import { parseArgs } from 'node:util';
import { parseTokenList, TokenListError } from '../../shared/domain/tokens/token-list.ts';

/** The error for wrong usage. The message is one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The parsed command line. */
export interface Flags {
  /** 0 for any free one. */
  readonly port: number;
  /** A folder, or `:memory:`. */
  readonly data: string;
  /** The accepted tokens, comma-separated. Without them, those of the data folder. */
  readonly tokens: string | undefined;
  readonly demo: boolean;
  /** Whether the registry sends no requests to OSV.dev and upstream registries. */
  readonly offline: boolean;
  /** Whether new events are printed. */
  readonly events: boolean;
  /** Settings by name, as `cdk deploy -c` takes them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly help: boolean;
}

export const help = `Runs the registry on this machine. Usage: npm start -- [options]

  --port N      the port to listen on, 0 for any free one (default 3000)
  --data DIR    the folder that keeps the data, :memory: to keep nothing (default .registry)
  --tokens LIST the accepted API tokens, comma-separated, as label:token or, for a scope, as
                label/submit:token or label/review:token; "," switches authentication off
                (default: those of the folder; a new folder has none)
  --no-demo     do not load demo data into a new folder
  --offline     send no requests to OSV.dev and upstream registries
  --events      print each event of packages and licenses on one line
  -c KEY=VALUE  a setting of docs/settings.md, as for cdk deploy; repeat it for each setting, such as
                -c requireTokens=true -c fourEyes=true; -c stage=NAME for the settings of a stage
  --help        show this help

DYNAMODB_ENDPOINT in the environment names a DynamoDB Local to use in place of the embedded engine.
`;

const maxPort = 65535;

const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^[0-9]+$/.test(text) || port > maxPort) {
    throw new UsageError(`--port must be a number from 0 to ${maxPort}, not ${text}`);
  }
  return port;
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        data: { type: 'string', default: '.registry' },
        tokens: { type: 'string' },
        demo: { type: 'boolean', default: true },
        offline: { type: 'boolean', default: false },
        events: { type: 'boolean', default: false },
        context: { type: 'string', short: 'c', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
      allowNegative: true,
    }).values;
  } catch (error) {
    const [firstSentence] =
      error instanceof Error ? error.message.split(/\. |\n/) : [String(error)];
    throw new UsageError(`${firstSentence}`);
  }
};

const howToWrite =
  'write token, label:token, label/submit:token or label/review:token, separated by commas';

const checkTokens = (tokens: string | undefined): void => {
  try {
    const { malformed } = parseTokenList(tokens);
    if (malformed.length === 0) return;
    throw new TokenListError(`has malformed entries, at ${malformed.join(', ')}`);
  } catch (error) {
    if (!(error instanceof TokenListError)) throw error;
    throw new UsageError(`--tokens ${error.message}: ${howToWrite}`);
  }
};

/** Splits a setting at its first `=`. Its value may contain more of them. */
const parseSetting = (text: string): [name: string, value: string] => {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`-c must be KEY=VALUE, such as -c fourEyes=true, not ${text}`);
};

/**
 * Parses the command line. Values of settings are checked later, together with those of a stage.
 * @throws {UsageError} for an unknown flag or a wrong value
 */
export const parseFlags = (args: readonly string[]): Flags => {
  const { port, context, help: showHelp, ...flags } = parse(args);
  if (flags.data === '') throw new UsageError('--data must name a folder');
  checkTokens(flags.tokens);
  return {
    ...flags,
    port: parsePort(port),
    tokens: flags.tokens,
    settings: Object.fromEntries(context.map(parseSetting)),
    help: showHelp,
  };
};
