import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What the command line takes from its environment. A variable that is set to nothing is not set. */
export interface Environment {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly noColour: boolean;
  /** The variables that name a proxy, with what they say. */
  readonly proxies: Readonly<Record<string, string>>;
  /** Where the config file would be. */
  readonly configFile: string;
}

const variable = (name: string): string | undefined => process.env[name] || undefined;

/** The XDG base directory specification: a relative path is to be ignored. */
const configHome = (): string => {
  const given = variable('XDG_CONFIG_HOME');
  return given && isAbsolute(given) ? given : join(homedir(), '.config');
};

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

const readProxies = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    proxyVariables.flatMap((name) => {
      const value = variable(name);
      return value ? [[name, value]] : [];
    }),
  );

/** The only reader of process.env in the command line. */
export const readEnvironment = (): Environment => ({
  url: variable('REGISTRY_URL'),
  token: variable('REGISTRY_TOKEN'),
  noColour: variable('NO_COLOR') !== undefined || variable('TERM') === 'dumb',
  proxies: readProxies(),
  configFile: join(configHome(), 'registry', 'config.json'),
});
