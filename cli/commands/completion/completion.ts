import { Argument } from 'commander';
import type { CliCommand } from '../../framework/command.ts';
import { completionScripts, type Shell, shells } from './scripts.ts';

export const completion: CliCommand = {
  name: 'completion',
  summary: 'Print the script that completes commands and flags in a shell',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/registry',
    'completion zsh > ~/.zsh/functions/_registry      # a folder of your fpath',
    'completion fish > ~/.config/fish/completions/registry.fish',
  ],
  arguments: [new Argument('<shell>').choices(shells)],
  options: [],
  run: ({ arguments: [shell] }, { terminal }) => {
    terminal.out.write(completionScripts[shell as Shell]);
  },
};
