import { defineCommand } from '../../framework/define-command.ts';
import { checkOptions, pathsArgument } from './options.ts';

export const check = defineCommand('checkPackages', {
  name: 'check',
  examples: [
    'check',
    'check package-lock.json Dockerfile --allow pending',
    'check --registry-host mirror.example.com',
    'check --submit --because "The importer needs it"',
    'check --baseline known.json --sarif check.sarif',
  ],
  positionals: [pathsArgument],
  options: checkOptions,
  writes: ({ submit }) => submit === true,
  run: async ({ arguments: paths, flags, session, environment }) => {
    const { runCheck } = await import('./run-check.ts');
    await runCheck(paths, flags, session, environment);
  },
});
