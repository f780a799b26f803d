import { Option } from 'commander';
import * as routes from '../../../shared/api/routes.ts';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { packageDescription } from '../../framework/flag-descriptions.ts';
import { readNamedPackage } from '../../framework/named-package.ts';
import { packagesArgument } from '../../framework/positionals.ts';
import { type Call, describeRoute } from '../../framework/route-description.ts';
import { sendNamedRequest, sendRequest } from '../../framework/send-request.ts';
import type { View } from '../../output/result.ts';
import { toOneLine } from '../../output/text.ts';
import { announce, describeStatus } from '../../presentation/announce.ts';
import { formatEvidence } from '../../presentation/version-evidence.ts';
import { describeRelated } from './related-versions.ts';
import { areSeveral, showSeveral } from './show-several.ts';

const evidence = describeRoute('showEvidence', { view: { formatAnswer: formatEvidence } });

/** Shows a version, and for people also other versions that they may have meant. */
const showOne = async (call: Call<'showPackage'>, view: View<PackageDetail>): Promise<void> => {
  const named = { ...call, ...readNamedPackage(call.described, call) };
  const shown = await sendNamedRequest(named, { view });
  const { client, terminal, format } = call.session;
  if (format !== 'people' || !shown) return;
  const lines = await describeRelated(client, shown, named);
  if (lines.length > 0) terminal.out.write(`\n${lines.map(toOneLine).join('\n')}\n`);
};

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
  run: async (call) => {
    const isEvidence = call.flags['evidence'] === true;
    const view = announce(call.session, describeStatus);
    const chosen: Call = isEvidence
      ? { ...call, routeName: 'showEvidence', described: evidence }
      : { ...call, described: { ...call.described, view } };
    if (areSeveral(call.arguments)) await showSeveral(chosen, isEvidence ? 'evidence' : 'package');
    else if (isEvidence) await sendRequest(chosen);
    else await showOne(call, view);
  },
});
