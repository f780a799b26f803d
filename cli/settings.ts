import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { tokenFault, urlFault } from '../shared/client/credentials.ts';
import { withoutMark } from './byte-order-mark.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './usage-error.ts';

/** A value, and where it was found, to tell people when it is wrong. */
export interface Sourced {
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

interface Given {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

const Config = z.strictObject({ url: z.string().optional(), token: z.string().optional() });
type Config = z.infer<typeof Config>;

const readText = (file: string): string | undefined => {
  try {
    return withoutMark(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
};

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readConfig = (file: string): Config => {
  const text = readText(file);
  if (text === undefined) return {};
  const { success, data } = Config.safeParse(parsedJson(text));
  // What is wrong with it is not told: it may hold a token.
  if (!success) throw new UsageError(`${file} must be JSON such as {"url": "https://…"}`);
  return data;
};

const othersMayRead = 0o004;

const warnOfReadableToken = (file: string, warn: (text: string) => void): void => {
  if ((statSync(file).mode & othersMayRead) === 0) return;
  warn(`${file} holds a token and everyone on this machine can read it: chmod 600 ${file}`);
};

const firstOf = (...candidates: (readonly [string | undefined, string])[]): Sourced | undefined => {
  const [found] = candidates.filter(([value]) => value !== undefined);
  return found && { value: found[0] ?? '', source: found[1] };
};

const check = (what: string, { source }: Sourced, fault: string | undefined): void => {
  if (fault) throw new UsageError(`The ${what} from ${source} ${fault}`);
};

/** What one says is not shown: it may hold a password. */
const checkProxy = ([name, value]: [string, string]): void => {
  if (URL.canParse(value) && /^(?:https?|socks5?):$/.test(new URL(value).protocol)) return;
  throw new UsageError(`${name} is no URL such as http://proxy.example.com:8080`);
};

/** Flags come before the environment, and that before the config file. */
export const readSettings = (
  given: Given,
  environment: Environment,
  warn: (text: string) => void,
): Settings => {
  const { configFile, proxies } = environment;
  const config = readConfig(configFile);
  if (config.token !== undefined) warnOfReadableToken(configFile, warn);
  const url = firstOf(
    [given.url, '--url'],
    [environment.url, 'REGISTRY_URL'],
    [config.url, configFile],
  );
  const token = firstOf(
    [given.token, '--token'],
    [environment.token, 'REGISTRY_TOKEN'],
    [config.token, configFile],
  );
  if (!url) {
    throw new UsageError(
      `Which registry? Give --url, set REGISTRY_URL, or write {"url": "https://…"} into ${configFile}`,
    );
  }
  check('URL', url, urlFault(url.value));
  if (token) check('token', token, tokenFault(token.value));
  Object.entries(proxies).forEach(checkProxy);
  return { url, token, proxies: Object.keys(proxies) };
};
