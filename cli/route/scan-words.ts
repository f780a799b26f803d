import { failOn } from './fail-on.ts';
import { fitReport } from './long-report.ts';
import { presentAttention } from './presented-attention.ts';
import type { Words } from './route-words.ts';
import { formatScan } from './scan-picture.ts';
import { describeUnscanned, presentScan } from './unscanned.ts';

/** The words of routes: scans of packages. */
export const scanWords = {
  showScan: {
    command: 'scan show',
    examples: [
      'scan show lodash',
      'scan show org.apache.logging.log4j:log4j-core@2.14.1',
      'scan show lodash@4.17.20 --number 1',
      'scan show lodash@4.17.20 --fail-on high',
    ],
    formatAnswer: formatScan,
    judge: failOn,
    warn: (scan) => describeUnscanned(`${scan.package} ${scan.version}`, scan),
  },
  listScans: {
    command: 'scan history',
    examples: ['scan history lodash', 'scan history lodash@4.17.20 --limit 5'],
    columns: ['scan_date', 'version', 'status', 'severity', 'tools_used', 'reason'],
    forPeople: presentScan,
  },
  submitScan: {
    command: 'scan upload',
    examples: [
      'scan upload lodash@4.17.20 report.json',
      'scan upload nginx:1.27.3 - < trivy.json',
      'scan upload nginx:1.27.3 trivy.json --force',
    ],
    formatAnswer: formatScan,
    body: 'file argument',
    fit: fitReport,
  },
  retireScan: {
    command: 'scan retire',
    examples: [
      'scan retire lodash@4.17.20 --tool trivy --label ci --reason "Scanned the wrong image"',
      'scan retire --label ci --since 2026-11-20T00:00:00Z --reason "The token leaked" --dry-run',
    ],
    bulk: {
      option: 'since',
      options: {
        since: [
          '--since <time>',
          'in place of a package: all scans since then that tokens of the label sent, of all packages',
        ],
        until: ['--until <time>', 'with --since: only scans before'],
      },
      run: async (flags, session) => {
        const { retireSince } = await import('../undo/retire-since.ts');
        await retireSince(flags, session);
      },
    },
    flags: {
      tool: 'the tool whose scans are to count no more, as scan show names it',
      label: 'the label of the token that they were sent with; left out: a token without one',
      number: 'the newest of them, where several are by the same tool and label',
      reason: 'why',
    },
  },
  listAttention: {
    command: 'attention',
    examples: ['attention', 'attention --all --json'],
    flags: { after: 'only what comes after: next of the page before' },
    nextParameter: 'after',
    forPeople: presentAttention,
  },
} satisfies Partial<Words>;
