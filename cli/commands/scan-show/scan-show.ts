import { Option } from 'commander';
import { defineCommand } from '../../framework/define-command.ts';
import { sendRequest } from '../../framework/send-request.ts';
import { toOneLine } from '../../output/text.ts';
import { formatScan } from '../../presentation/merged-scan.ts';
import { describeUnscanned, nameScanned } from '../../presentation/unscanned.ts';
import { failOn, thresholds } from './fail-on.ts';

export const scanShow = defineCommand('showScan', {
  name: 'scan show',
  examples: [
    'scan show lodash',
    'scan show org.apache.logging.log4j:log4j-core@2.14.1',
    'scan show lodash@4.17.20 --number 1',
    'scan show lodash@4.17.20 --fail-on high',
  ],
  options: [
    new Option(
      '--fail-on <what>',
      'end with 1 if an open vulnerability has at least that severity (unrated: any), if the status is that bad, or if no scan has finished',
    ).choices(thresholds),
  ],
  view: { formatAnswer: formatScan },
  run: async (call) => {
    const scan = await sendRequest(call);
    if (!scan) return;
    const threshold = call.flags['failOn'];
    if (typeof threshold === 'string') failOn(scan, threshold);
    const warning = describeUnscanned(nameScanned(scan), scan);
    if (warning) call.session.terminal.warn(toOneLine(warning));
  },
});
