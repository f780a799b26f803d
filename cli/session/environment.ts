import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readProxies } from '../../shared/util/proxies.ts';
import { isGateAddress } from './gate-address.ts';

/** How a CI job gets its ID token. */
export type JobTokenSource =
  /** GitHub Actions issues ID tokens at an address; undefined for a job without the permission. */
  | {
      readonly system: 'github';
      readonly request: { readonly url: string; readonly token: string } | undefined;
    }
  /** GitLab, or any other system that sets REGISTRY_ID_TOKEN; undefined for a job of GitLab without the variable. */
  | { readonly system: 'gitlab'; readonly idToken: string | undefined };

/** The environment of the command line. An empty variable counts as unset. */
export interface Environment {
  readonly url: string | undefined;
  readonly token: string | undefined;
  /** How the CI job gets its ID token; undefined outside a job. */
  readonly job: JobTokenSource | undefined;
  readonly noColour: boolean;
  /** Whether this is a job of GitHub Actions, which obeys workflow commands in the output. */
  readonly isGithub: boolean;
  /** The commit that a job of GitHub Actions or GitLab works on. */
  readonly commit: string | undefined;
  /** The branch or tag that a job of GitHub Actions or GitLab works on; a pull request of GitHub is `12/merge`. */
  readonly ref: string | undefined;
  /** The variables that name a proxy, with their values. */
  readonly proxies: Readonly<Record<string, string>>;
  /** The path of the config file, which may not exist. */
  readonly configFile: string;
}

const readVariable = (name: string): string | undefined => process.env[name] || undefined;

/** Ignores a relative path, as the XDG base directory specification requires. */
const findConfigHome = (): string => {
  const given = readVariable('XDG_CONFIG_HOME');
  return given && isAbsolute(given) ? given : join(homedir(), '.config');
};

/** The variables with the ID token of a CI job, or with the permission to request one. */
const jobVariables = {
  idToken: 'REGISTRY_ID_TOKEN',
  requestUrl: 'ACTIONS_ID_TOKEN_REQUEST_URL',
  requestToken: 'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
} as const;

const findJob = (): JobTokenSource | undefined => {
  const idToken = readVariable(jobVariables.idToken);
  if (idToken !== undefined) return { system: 'gitlab', idToken };
  const url = readVariable(jobVariables.requestUrl);
  const token = readVariable(jobVariables.requestToken);
  if (url !== undefined && token !== undefined)
    return { system: 'github', request: { url, token } };
  if (readVariable('GITHUB_ACTIONS') === 'true') return { system: 'github', request: undefined };
  return readVariable('GITLAB_CI') === 'true' ? { system: 'gitlab', idToken } : undefined;
};

/** Reads the environment once, when the command starts. */
export const readEnvironment = (): Environment => ({
  url: readVariable('REGISTRY_URL'),
  token: readVariable('REGISTRY_TOKEN'),
  job: findJob(),
  noColour: readVariable('NO_COLOR') !== undefined || readVariable('TERM') === 'dumb',
  isGithub: readVariable('GITHUB_ACTIONS') === 'true',
  commit: readVariable('GITHUB_SHA') ?? readVariable('CI_COMMIT_SHA'),
  ref: readVariable('GITHUB_REF_NAME') ?? readVariable('CI_COMMIT_REF_NAME'),
  proxies: readProxies(),
  configFile: join(findConfigHome(), 'registry', 'config.json'),
});

/** Names of variables with addresses of package indexes, in lower case. */
const indexVariable = /^(?:npm_config_(?:@.*:)?registry|uv_(?:default_|extra_)?index(?:_url)?)$/;

/** Returns whether one of the addresses in a text is the gate's. uv separates them with spaces, and allows `name=`. */
const namesGate = (text: string, gate: string): boolean =>
  text.split(/\s+/).some((word) => isGateAddress(word.replace(/^[\w-]+=/, ''), gate));

/** The variables that a program which a command starts does not get. */
const secretVariables: readonly string[] = ['REGISTRY_TOKEN', ...Object.values(jobVariables)];

/**
 * Returns the variables for a program that a command starts: without tokens, and without package indexes at the gate, which has
 * approved versions only.
 */
export const makeToolVariables = (gate: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name, value = '']) => {
      const isGate = indexVariable.test(name.toLowerCase()) && namesGate(value, gate);
      return !isGate && !secretVariables.includes(name);
    }),
  );
