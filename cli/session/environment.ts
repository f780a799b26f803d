import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readProxies } from '../../shared/util/proxies.ts';

/** What the command line takes from its environment. A variable that is set to nothing is not set. */
export interface Environment {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly noColour: boolean;
  /** Whether this is a job of GitHub Actions, which reads commands in the output. */
  readonly isGithub: boolean;
  /** The variables that name a proxy, with what they say. */
  readonly proxies: Readonly<Record<string, string>>;
  /** Where the config file would be. */
  readonly configFile: string;
}

const readVariable = (name: string): string | undefined => process.env[name] || undefined;

/** As the XDG base directory specification says, a relative path is ignored. */
const findConfigHome = (): string => {
  const given = readVariable('XDG_CONFIG_HOME');
  return given && isAbsolute(given) ? given : join(homedir(), '.config');
};

/** Reads the environment once, when the command starts. */
export const readEnvironment = (): Environment => ({
  url: readVariable('REGISTRY_URL'),
  token: readVariable('REGISTRY_TOKEN'),
  noColour: readVariable('NO_COLOR') !== undefined || readVariable('TERM') === 'dumb',
  isGithub: readVariable('GITHUB_ACTIONS') === 'true',
  proxies: readProxies(),
  configFile: join(findConfigHome(), 'registry', 'config.json'),
});
