import { findTokenFault, findUrlFault } from '../../shared/api/client/credentials.ts';
import { UsageError } from '../input/usage-error.ts';
import type { CommonFlags } from './common-flags.ts';
import { readConfig, warnOfReadableToken } from './config-file.ts';
import type { Environment } from './environment.ts';

/** A value, and where it was found, to tell people when it is wrong. */
export interface Sourced {
  readonly value: string;
  readonly source: string;
  /** Where else one was found, which goes behind. */
  readonly others?: readonly string[];
}

/** Which registry, and with which token. */
export interface Settings {
  readonly url: Sourced;
  readonly token: Sourced | undefined;
  /** The variables that name a proxy. */
  readonly proxies: readonly string[];
}

const findFirst = (
  ...candidates: (readonly [string | undefined, string])[]
): Sourced | undefined => {
  const found = candidates.flatMap(([value, source]) =>
    value === undefined ? [] : [{ value, source }],
  );
  const [first, ...others] = found;
  return first && { ...first, others: others.map(({ source }) => source) };
};

/** Where a setting came from, and what it went before. */
export const describeSource = ({ source, others = [] }: Sourced): string =>
  others.length > 0 ? `${source} (before ${others.join(' and ')})` : source;

const refuseFault = (what: string, { source }: Sourced, fault: string | undefined): void => {
  if (fault) throw new UsageError(`The ${what} from ${source} ${fault}`);
};

/** What the variable says is not shown: it may hold a password. */
const checkProxy = ([name, value]: [string, string]): void => {
  if (URL.canParse(value) && /^(?:https?|socks5?):$/.test(new URL(value).protocol)) return;
  throw new UsageError(`${name} is no URL such as http://proxy.example.com:8080`);
};

/**
 * The token for a command that writes. One that only reads does not look at it.
 * @throws {UsageError} if no header can carry it
 */
export const readToken = ({ token }: Settings): string | undefined => {
  if (token) refuseFault('token', token, findTokenFault(token.value));
  return token?.value;
};

/**
 * Reads the settings: flags come before the environment, and that before the config file.
 * @throws {UsageError} if no registry is named, or if a setting is wrong
 */
export const readSettings = (
  given: Pick<CommonFlags, 'url' | 'token'>,
  environment: Environment,
  warn: (text: string) => void,
): Settings => {
  const { configFile, proxies } = environment;
  const config = readConfig(configFile);
  if (config.token !== undefined) warnOfReadableToken(configFile, warn);
  const url = findFirst(
    [given.url, '--url'],
    [environment.url, 'REGISTRY_URL'],
    [config.url, configFile],
  );
  const token = findFirst(
    [given.token, '--token'],
    [environment.token, 'REGISTRY_TOKEN'],
    [config.token, configFile],
  );
  if (!url) {
    throw new UsageError(
      `Which registry? Run registry login, give --url, set REGISTRY_URL, or write {"url": "https://…"} into ${configFile}`,
    );
  }
  refuseFault('URL', url, findUrlFault(url.value));
  Object.entries(proxies).forEach(checkProxy);
  return { url, token, proxies: Object.keys(proxies) };
};
