import { Option } from 'commander';
import * as routes from '../../../shared/api/routes.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { requireArgument, takesOption } from '../../framework/option-in-place.ts';
import { packageArgument } from '../../framework/positionals.ts';
import { sendRequest } from '../../framework/send-request.ts';
import { useView } from '../../presentation/project-use.ts';
import { showUsesOfFile } from './show-uses-of-file.ts';

export const where = defineCommand('listPackageProjects', {
  name: 'where',
  examples: [
    'where log4j-core@2.14.1',
    'where npm:lodash --all --json',
    'where --file compromised.txt',
  ],
  positionals: [packageArgument('[name]')],
  options: [
    new Option(
      '-f, --file <file>',
      `${routes.listProjectUses.summary}, from a file: npm:left-pad@1.3.0 or a package URL a line, or JSON; - for standard input`,
    ),
  ],
  view: useView,
  run: async (call) => {
    if (takesOption(call, 'file', ['<name>'])) {
      await showUsesOfFile(call.flags, call.session);
      return;
    }
    requireArgument(call, '<name>', 'file');
    const emptyText = `No recorded project uses ${call.arguments[0]}.`;
    await sendRequest(call, { view: { ...useView, emptyText } });
  },
});
