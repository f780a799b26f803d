import { jsonFileArgument } from '../../framework/body-source.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { sendRequest } from '../../framework/send-request.ts';
import { formatScan } from '../../presentation/merged-scan.ts';
import { fitReport } from './fit-report.ts';

export const scanUpload = defineCommand('submitScan', {
  name: 'scan upload',
  examples: [
    'scan upload lodash@4.17.20 report.json',
    'scan upload nginx:1.27.3 - < trivy.json',
    'scan upload nginx:1.27.3 trivy.json --force',
  ],
  body: jsonFileArgument,
  view: { formatAnswer: formatScan },
  run: async (call) => {
    const report = await jsonFileArgument.read(call);
    await sendRequest(call, { body: await fitReport(report, call.session.terminal.warn) });
  },
});
