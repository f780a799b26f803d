import { findUrlFault } from '../../shared/api/client/credentials.ts';
import { UsageError } from '../input/usage-error.ts';
import type { CommonFlags } from './common-flags.ts';
import { type Config, findUrl, hasSecret, readConfig, warnOfReadableToken } from './config-file.ts';
import { type Credential, type Credentials, createCredentials } from './credentials.ts';
import type { Environment, JobTokenSource } from './environment.ts';

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
  readonly credentials: Credentials;
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
export const describeSource = ({
  source,
  others = [],
}: Pick<Sourced, 'source' | 'others'>): string =>
  others.length > 0 ? `${source} (overrides ${others.join(' and ')})` : source;

/** Returns the source of the credential in use, and the sources that it overrides; null without any. */
export const describeCredentials = ({ credentials }: Settings): string | null => {
  const [first, ...others] = credentials.list().map(({ source }) => source);
  return first === undefined ? null : describeSource({ source: first, others });
};

/** @throws {UsageError} if a setting has a fault */
export const refuseFault = (
  what: string,
  { source }: Pick<Sourced, 'source'>,
  fault: string | undefined,
): void => {
  if (fault) throw new UsageError(`The ${what} from ${source} ${fault}`);
};

/** The message leaves out the value: it may hold a password. */
const checkProxy = ([name, value]: [string, string]): void => {
  if (URL.canParse(value) && /^(?:https?|socks5?):$/.test(new URL(value).protocol)) return;
  throw new UsageError(`${name} is no URL such as http://proxy.example.com:8080`);
};

const toToken = (value: string | null | undefined, source: string): readonly Credential[] =>
  value === undefined || value === null ? [] : [{ kind: 'token', value, source }];

const hasIdToken = (job: JobTokenSource): boolean =>
  (job.system === 'github' ? job.request : job.idToken) !== undefined;

const listJob = (job: JobTokenSource | undefined): readonly Credential[] =>
  job && hasIdToken(job) ? [{ kind: 'job', source: 'the ID token of the CI job', job }] : [];

/** Reads the sign-in when a request needs it. */
const listSignIn = (
  { sign_ins = {} }: Config,
  place: { readonly file: string; readonly url: string },
): readonly Credential[] => {
  if (!Object.hasOwn(sign_ins, place.url)) return [];
  let saved: Promise<() => Promise<string>> | undefined;
  const read = async (): Promise<string> => {
    saved ??= import('./saved-sign-in.ts').then((module) => module.createSavedSignIn(place));
    return (await saved)();
  };
  return [{ kind: 'sign_in', source: `registry login --sso in ${place.file}`, read }];
};

/** Returns the credentials for a registry. Flags override the environment, and the environment overrides the config file. */
const findCredentials = (
  given: Pick<CommonFlags, 'token'>,
  { token, job, configFile: file }: Environment,
  { config, url }: { readonly config: Config; readonly url: string },
): Credentials =>
  createCredentials(
    [
      ...toToken(given.token, '--token'),
      ...toToken(token, 'REGISTRY_TOKEN'),
      ...listJob(job),
      ...listSignIn(config, { file, url }),
      ...toToken(config.tokens[url], file),
    ],
    job,
  );

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
  if (hasSecret(config)) warnOfReadableToken(configFile, warn);
  const found = findFirst(
    [given.url, '--url'],
    [environment.url, 'REGISTRY_URL'],
    [config.url, configFile],
  );
  const url = found && { ...found, value: findUrl(config, found.value) };
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
  const credentials = findCredentials(given, environment, { config, url: url.value });
  return { url, credentials, proxies: Object.keys(proxies) };
};
