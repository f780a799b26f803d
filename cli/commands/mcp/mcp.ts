import { Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';

export const mcp: CliCommand = {
  name: 'mcp',
  summary: 'Serve coding agents over the Model Context Protocol',
  examples: ['mcp', 'mcp --allow-submit'],
  arguments: [],
  options: [new Option('--allow-submit', 'let agents submit packages for review, with the token')],
  run: async ({ flags }, { openSession }) => {
    const { serveAgents } = await import('./serve.ts');
    const submit = flags['allowSubmit'] === true;
    serveAgents(openSession({ writes: submit }), { submit });
  },
};
