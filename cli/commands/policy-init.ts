import { Argument } from 'commander';
import { findPreset, presetNames } from '../../shared/domain/policy/presets.ts';
import type { CliCommand } from '../framework/command.ts';
import { UsageError } from '../input/usage-error.ts';
import { formatJson } from '../output/json.ts';

export const policyInit: CliCommand = {
  name: 'policy init',
  summary: 'Print a ready-made policy, to change and deploy it',
  examples: ['policy init balanced > policy.json'],
  arguments: [new Argument('<preset>', `${presetNames.join(', ')}; without a number the newest`)],
  options: [],
  run: ({ arguments: [name = ''] }, { terminal }) => {
    const preset = findPreset(name);
    if (!preset) throw new UsageError(`There is no preset ${name}: ${presetNames.join(', ')}.`);
    terminal.out.write(`${formatJson(preset, 2)}\n`);
  },
};
