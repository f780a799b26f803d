import { statSync } from 'node:fs';
import * as z from 'zod';
import { findTokenFault, findUrlFault } from '../../shared/client/credentials.ts';
import { parseJson } from '../../shared/domain/json.ts';
import { readOptionalTextFile } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import { toOneLine } from '../output/text.ts';
import type { CommonFlags } from './common-flags.ts';
import type { Environment } from './environment.ts';

/** A value, and where it was found, to tell people when it is wrong. */
interface Sourced {
  readonly value: string;
  readonly source: string;
}

/** Which registry, and with which token. */
export interface Settings {
  readonly url: Sourced;
  readonly token: Sourced | undefined;
  /** The variables that name a proxy. */
  readonly proxies: readonly string[];
}

const Config = z.strictObject({ url: z.string().optional(), token: z.string().optional() });
type Config = z.infer<typeof Config>;

const readConfig = (file: string): Config => {
  const text = readOptionalTextFile(file);
  if (text === undefined) return {};
  const { success, data, error } = Config.safeParse(parseJson(text));
  if (success) return data;
  const unknown = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  );
  // Its values are not told: one may be a token.
  const fault = unknown.length > 0 ? `has ${unknown.join(', ')}, which means nothing; it` : '';
  throw new UsageError(
    toOneLine(`${file} ${fault} must be JSON such as {"url": "https://…", "token": "…"}`),
  );
};

const othersMayRead = 0o004;

const warnOfReadableToken = (file: string, warn: (text: string) => void): void => {
  if ((statSync(file).mode & othersMayRead) === 0) return;
  warn(`${file} holds a token and everyone on this machine can read it: chmod 600 ${file}`);
};

const findFirst = (
  ...candidates: (readonly [string | undefined, string])[]
): Sourced | undefined => {
  const [found] = candidates.filter(([value]) => value !== undefined);
  return found && { value: found[0] ?? '', source: found[1] };
};

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
      `Which registry? Give --url, set REGISTRY_URL, or write {"url": "https://…"} into ${configFile}`,
    );
  }
  refuseFault('URL', url, findUrlFault(url.value));
  Object.entries(proxies).forEach(checkProxy);
  return { url, token, proxies: Object.keys(proxies) };
};
