import type { CliCommand } from '../framework/command.ts';
import { writeResult } from '../output/result.ts';
import { applyQuiet } from '../output/terminal.ts';
import { toOneLine } from '../output/text.ts';
import { type CommonFlags, chooseFormat } from '../session/common-flags.ts';
import {
  findUrl,
  readConfig,
  replaceCredentials,
  type SignIn,
  withConfigLock,
  writeConfig,
} from '../session/config-file.ts';

/** The token and the sign-in that a logout removed. */
interface Removed {
  readonly token: boolean;
  readonly signIn: SignIn | undefined;
}

/** Removes the token and the sign-in of a registry. The URL stays, for commands that read. */
const removeCredentials = (file: string, url: string): Promise<Removed> =>
  withConfigLock(file, () => {
    const config = readConfig(file);
    const token = Boolean(config.tokens[url]);
    const signIn = config.sign_ins?.[url];
    if (token || signIn) writeConfig(file, replaceCredentials(config, url, {}));
    return { token, signIn };
  });

/** Has the provider revoke the refresh token of a sign-in. A failure is a warning: the sign-in is removed in any case. */
const revoke = async (signIn: SignIn, warn: (text: string) => void): Promise<void> => {
  if (signIn.refresh_token === null) return;
  const { discoverProvider, revokeSignIn } = await import('../../shared/api/client/sign-in.ts');
  const { findProxiedFetch } = await import('../../shared/api/client/node-transport.ts');
  try {
    const provider = await discoverProvider(signIn, await findProxiedFetch());
    await revokeSignIn(provider, signIn.refresh_token);
  } catch (error) {
    const { describeProviderFault } = await import('../session/provider-fault.ts');
    const why = toOneLine(describeProviderFault(error));
    warn(`${signIn.issuer} did not revoke the sign-in: ${why}. It expires by itself.`);
  }
};

const describeRemoval = (isRemoved: boolean): string => (isRemoved ? 'removed' : 'there was none');

export const logout: CliCommand = {
  name: 'logout',
  summary: 'Remove the token or the sign-in that login has saved',
  examples: ['logout', 'logout --url registry.example.com'],
  arguments: [],
  options: [],
  run: async ({ flags }, { environment, terminal }) => {
    const { configFile } = environment;
    const { quiet, url: given, ...format }: CommonFlags = flags;
    const config = readConfig(configFile);
    const url = given === undefined ? config.url : findUrl(config, given);
    const removed: Removed =
      url === undefined
        ? { token: false, signIn: undefined }
        : await removeCredentials(configFile, url);
    const { warn } = applyQuiet(terminal, quiet);
    if (removed.signIn) await revoke(removed.signIn, warn);
    if (environment.token) warn('REGISTRY_TOKEN is set, and commands still use it.');
    const result = {
      url,
      token: describeRemoval(removed.token),
      sign_in: describeRemoval(removed.signIn !== undefined),
      file: configFile,
    };
    writeResult(result, terminal, { format: chooseFormat(format) });
  },
};
