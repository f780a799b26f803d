import { defineCommand } from '../../framework/define-command.ts';
import { checkOptions, pathsArgument } from './options.ts';

export const check = defineCommand('checkPackages', {
  name: 'check',
  examples: [
    'check',
    'check npm:lodash@4.17.21 pkg:pypi/requests@2.32.5',
    'check package-lock.json Dockerfile --allow pending',
    'check --registry-host mirror.example.com',
    'check --fix',
    'check --submit --reason "The importer needs it"',
    'check --baseline known.json --sarif check.sarif',
    'check --record shop --owner payments@example.com',
    'check --setup',
  ],
  positionals: [pathsArgument],
  options: checkOptions,
  writes: ({ submit, record }) => submit === true || record !== undefined,
  run: async ({ arguments: given, flags, session, environment }) => {
    const { runCheck } = await import('./run-check.ts');
    await runCheck(given, flags, session, environment);
  },
});
