import { defineCommand } from '../framework/define-command.ts';
import { isUnfinished } from '../presentation/unscanned.ts';

export const scanHistory = defineCommand('listScans', {
  name: 'scan history',
  examples: ['scan history lodash', 'scan history lodash@4.17.20 --limit 5'],
  view: {
    columns: ['scan_date', 'version', 'status', 'severity', 'tools_used', 'reason'],
    droppable: ['tools_used'],
    // The counters of a scan that did not finish are zeros, and mean nothing.
    presentRow: (scan) => (isUnfinished(scan) ? { ...scan, severity: 'not known' } : scan),
  },
});
