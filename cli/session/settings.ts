import { findTokenFault, findUrlFault } from '../../shared/api/client/credentials.ts';
import { UsageError } from '../input/usage-error.ts';
import type { CommonFlags } from './common-flags.ts';
import { findUrl, readConfig, warnOfReadableToken } from './config-file.ts';
import type { Environment } from './environment.ts';

/** A setting, and its source for messages. */
export interface Sourced {
  readonly value: string;
  readonly source: string;
  /** Sources of lower precedence that also have a value. */
  readonly others?: readonly string[];
}

/** The settings of a session. */
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

/** Returns the source of a setting, and the sources that it overrides. */
export const describeSource = ({ source, others = [] }: Sourced): string =>
  others.length > 0 ? `${source} (overrides ${others.join(' and ')})` : source;

/** @throws {UsageError} if a setting has a fault */
export const refuseFault = (what: string, { source }: Sourced, fault: string | undefined): void => {
  if (fault) throw new UsageError(`The ${what} from ${source} ${fault}`);
};

/** The message leaves out the value: it may hold a password. */
const checkProxy = ([name, value]: [string, string]): void => {
  if (URL.canParse(value) && /^(?:https?|socks5?):$/.test(new URL(value).protocol)) return;
  throw new UsageError(`${name} is no URL such as http://proxy.example.com:8080`);
};

/**
 * Returns the token for a command that writes.
 * @throws {UsageError} if a header cannot carry it
 */
export const readToken = ({ token }: Settings): string | undefined => {
  if (token) refuseFault('token', token, findTokenFault(token.value));
  return token?.value;
};

/**
 * Reads the settings. Flags override the environment, and the environment overrides the config file.
 * @throws {UsageError} if none of them names a registry, or a setting is wrong
 */
export const readSettings = (
  given: Pick<CommonFlags, 'url' | 'token'>,
  environment: Environment,
  warn: (text: string) => void,
): Settings => {
  const { configFile, proxies } = environment;
  const config = readConfig(configFile);
  if (Object.values(config.tokens).some(Boolean)) warnOfReadableToken(configFile, warn);
  const found = findFirst(
    [given.url, '--url'],
    [environment.url, 'REGISTRY_URL'],
    [config.url, configFile],
  );
  const url = found && { ...found, value: findUrl(config, found.value) };
  const token = findFirst(
    [given.token, '--token'],
    [environment.token, 'REGISTRY_TOKEN'],
    [url && (config.tokens[url.value] ?? undefined), configFile],
  );
  if (!url) {
    throw new UsageError(
      `No registry is set. Run registry login, give --url, set REGISTRY_URL, or write {"url": "https://…"} into ${configFile}`,
    );
  }
  if (/^[\w.-]+(?::\d+)?$/.test(url.value)) {
    const scheme = /^(?:localhost|127\.0\.0\.1)\b/.test(url.value) ? 'http' : 'https';
    throw new UsageError(
      `No login for ${url.value} (from ${url.source}) is saved. Give the URL: ${scheme}://${url.value}`,
    );
  }
  refuseFault('URL', url, findUrlFault(url.value));
  Object.entries(proxies).forEach(checkProxy);
  return { url, token, proxies: Object.keys(proxies) };
};
