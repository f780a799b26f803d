import { Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';
import { writeResult } from '../../output/result.ts';
import { type CommonFlags, chooseFormat } from '../../session/common-flags.ts';

export const login: CliCommand = {
  name: 'login',
  summary: 'Check a registry and a token, or sign in, and save both for later commands',
  examples: [
    'login',
    'login --sso',
    'login --url https://registry.example.com < token.txt',
    'login --url registry.example.com',
  ],
  arguments: [],
  options: [new Option('--sso', "sign in with the company's account, in place of a token")],
  run: async (invocation, { environment, terminal, onSession }) => {
    const flags: CommonFlags & { readonly sso?: boolean } = invocation.flags;
    const context = { flags, environment, terminal, onSession };
    const { runLogin } = await import('./run-login.ts');
    const result = await runLogin(context, { sso: flags.sso === true });
    writeResult(result, terminal, { format: chooseFormat(flags) });
  },
};
