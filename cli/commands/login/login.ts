import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../../../shared/api/schemas/query.ts';
import type { CliCommand } from '../../framework/command.ts';
import { UsageError } from '../../input/usage-error.ts';
import { writeResult } from '../../output/result.ts';
import { type CommonFlags, chooseFormat } from '../../session/common-flags.ts';

/** The flags of a sign-in. */
interface LoginFlags {
  readonly sso?: boolean;
  readonly port?: number;
}

const parsePort = (text: string): number => {
  const port = wholeNumber.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a port.');
};

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
  options: [
    new Option('--sso', "sign in with the company's account, in place of a token"),
    new Option(
      '--port <number>',
      'with --sso: sign in by a browser of this machine, which comes back to this port of localhost',
    ).argParser(parsePort),
  ],
  run: async (invocation, { environment, terminal, onSession }) => {
    const flags: CommonFlags & LoginFlags = invocation.flags;
    if (flags.port !== undefined && !flags.sso) throw new UsageError('--port needs --sso.');
    const context = { flags, environment, terminal, onSession };
    const { runLogin } = await import('./run-login.ts');
    const result = await runLogin(context, flags);
    writeResult(result, terminal, { format: chooseFormat(flags) });
  },
};
