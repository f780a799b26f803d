import { Option } from 'commander';
import * as routes from '../../../shared/api/routes.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { packageDescription } from '../../framework/flag-descriptions.ts';
import { packagesArgument } from '../../framework/positionals.ts';
import { type Call, describeRoute } from '../../framework/route-description.ts';
import { sendRequest } from '../../framework/send-request.ts';
import { presentPackage } from '../../presentation/package-detail.ts';
import { formatEvidence } from '../../presentation/version-evidence.ts';
import { areSeveral, showSeveral } from './show-several.ts';

const evidence = describeRoute('showEvidence', { view: { formatAnswer: formatEvidence } });

export const show = defineCommand('showPackage', {
  name: 'show',
  aliases: ['view'],
  examples: [
    'show lodash',
    'show @types/node@24.0.0',
    'show org.slf4j:slf4j-api',
    'show nginx:1.27.3',
    'show lodash@4.17.21 left-pad@1.3.0',
    'show left-pad@1.3.0 --evidence',
    'show lodash --evidence --json',
  ],
  positionals: [
    packagesArgument('<package...>', `${packageDescription}; - for one a line on standard input`),
  ],
  options: [new Option('--evidence', routes.showEvidence.summary)],
  view: { presentAnswer: presentPackage },
  run: async (call) => {
    const isEvidence = call.flags['evidence'] === true;
    const chosen: Call = isEvidence
      ? { ...call, routeName: 'showEvidence', described: evidence }
      : call;
    if (areSeveral(call.arguments)) await showSeveral(chosen, isEvidence ? 'evidence' : 'package');
    else await sendRequest(chosen);
  },
});
