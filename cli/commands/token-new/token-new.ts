import { Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';
import { readTokenEnd } from '../../input/moments.ts';
import { writeResult } from '../../output/result.ts';
import { applyQuiet } from '../../output/terminal.ts';
import { type CommonFlags, chooseFormat } from '../../session/common-flags.ts';
import { makeToken, type TokenOwner, tokenScopes } from './create-token.ts';

export const tokenNew: CliCommand = {
  name: 'token new',
  summary: 'Create a random token, and the entry that makes the registry accept it',
  examples: ['token new --label ci --scope submit', 'token new --label ana --expires 1y'],
  arguments: [],
  options: [
    new Option('--label <text>', 'the owner of the token; the registry shows it as a name'),
    new Option('--scope <scope>', 'what the token may do; everything unless given').choices(
      tokenScopes,
    ),
    new Option(
      '--expires <when>',
      'when the token expires: 90d, 12h, 2w, 1y, or a day or time such as 2027-01-31',
    ).argParser(readTokenEnd),
  ],
  run: (invocation, context) => {
    const flags: CommonFlags & TokenOwner = invocation.flags;
    const terminal = applyQuiet(context.terminal, flags.quiet);
    const { token, entry, advice } = makeToken(flags);
    const format = chooseFormat(flags);
    writeResult({ token, entry }, terminal, { format });
    if (format === 'people') terminal.err.write(advice);
  },
};
