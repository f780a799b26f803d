import { formatSeverityCounts } from '../../shared/domain/vulnerabilities/severity-counts.ts';
import { defineCommand } from '../framework/define-command.ts';
import { isUnfinished, nameScanned } from '../presentation/unscanned.ts';

export const scanHistory = defineCommand('listScans', {
  name: 'scan history',
  examples: ['scan history lodash', 'scan history lodash@4.17.20 --limit 5'],
  view: {
    columns: ['number', 'scanned_at', 'package', 'status', 'found', 'tools', 'reason'],
    droppable: ['tools'],
    presentRow: (scan) => ({
      number: scan.tools[0]?.number,
      scanned_at: scan.scan_date,
      package: nameScanned(scan),
      status: scan.status,
      // The counters of a scan that did not finish are zeros, and mean nothing.
      found: isUnfinished(scan) ? 'not known' : formatSeverityCounts(scan.severity) || 'nothing',
      tools: scan.tools_used,
      reason: scan.reason,
    }),
  },
});
