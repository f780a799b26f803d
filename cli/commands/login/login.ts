import type { CliCommand } from '../../framework/command.ts';
import { writeResult } from '../../output/result.ts';
import { type CommonFlags, chooseFormat } from '../../session/common-flags.ts';

export const login: CliCommand = {
  name: 'login',
  summary: 'Check a registry and a token, and save both for later commands',
  examples: [
    'login',
    'login --url https://registry.example.com < token.txt',
    'login --url registry.example.com',
  ],
  arguments: [],
  options: [],
  run: async (invocation, { environment, terminal, onSession }) => {
    const { runLogin } = await import('./run-login.ts');
    const flags: CommonFlags = invocation.flags;
    const result = await runLogin({ flags, environment, terminal, onSession });
    writeResult(result, terminal, { format: chooseFormat(flags) });
  },
};
