import { readExpiry } from '../input/moments.ts';
import { listedTable } from './listed-table.ts';
import { presentPackage } from './presented-package.ts';
import type { Words } from './route-words.ts';
import { checkScan } from './unscanned.ts';
import { watchScans } from './unscanned-many.ts';
import { formatEvidence } from './version-evidence.ts';

/** What lists say of a package besides which one it is. */
const listedInFull = [
  ...['submitted_at', 'submitted_by', 'license_status', 'effective_license', 'scan'],
  ...['objections', 'expires_at', 'evidence_version'],
];
const listed = {
  submitted: ['status', ...listedInFull],
  decided: ['status', 'license', ...listedInFull],
};

/** The words of routes: packages, and what is decided on them. */
export const packageWords = {
  listPackages: {
    command: 'list',
    aliases: ['ls'],
    examples: [
      'list -s pending',
      'list --search log4j --sort -submitted_at',
      'list -s approved --columns package,license,expires_at',
      'list --all --ecosystem npm --jsonl | grep MIT',
      'list --status pending --view full --json',
    ],
    table: listedTable,
  },
  showPackage: {
    command: 'show',
    aliases: ['view'],
    examples: [
      'show lodash',
      'show @types/node@24.0.0',
      'show org.slf4j:slf4j-api',
      'show nginx:1.27.3',
      'show lodash@4.17.21 left-pad@1.3.0',
    ],
    forPeople: presentPackage,
    several: 'package',
  },
  showEvidence: {
    command: 'show --evidence',
    examples: ['show left-pad@1.3.0 --evidence', 'show lodash --evidence --json'],
    formatAnswer: formatEvidence,
    several: 'evidence',
  },
  listVersions: {
    command: 'versions',
    examples: ['versions lodash', 'versions lodash --status approved'],
  },
  submitPackage: {
    command: 'submit',
    examples: [
      'submit --ecosystem npm --name left-pad --version 1.3.0 --license WTFPL',
      'submit --from pom.xml --dry-run',
      'submit --from . --because "The importer reads zip files with it"',
      'submit --from . --submitted-by you@example.com',
      'submit --file submission.json',
      'submit npm:left-pad@1.3.0 pypi:attrs@24.3.0',
      'submit --file packages.txt --submitted-by you@example.com',
    ],
    many: { route: 'submitPackages', list: 'packages', drops: listed.submitted },
    hidden: ['type'],
    required: ['ecosystem'],
    typed: { justification: 'because' },
    forPeople: presentPackage,
    body: 'manifest option',
    foresee: async ({ license }) => {
      const { explainLicense } = await import(
        '../../shared/domain/licenses/normalize/explain-normalization.ts'
      );
      return explainLicense(typeof license === 'string' ? license : null);
    },
  },
  approvePackage: {
    command: 'approve',
    examples: [
      'approve left-pad',
      'approve left-pad@1.3.0 --expires 90d',
      'approve left-pad --override license_rejected --reason "Only used in tests"',
      'approve lodash@4.17.21 --keep --reason "Deprecated, and used in tests only"',
      'approve npm:left-pad@1.3.0 pypi:attrs@24.3.0',
      'approve - --expires 90d < packages.txt',
    ],
    many: {
      ...{ route: 'decidePackages', list: 'decisions', action: 'approve', drops: listed.decided },
      watch: watchScans,
    },
    hidden: ['expires_at', 'expires_in_days'],
    read: { expires: readExpiry },
    needs: { override: 'reason', keep: 'reason' },
    forPeople: presentPackage,
    warn: checkScan,
  },
  rejectPackage: {
    command: 'reject',
    examples: [
      'reject left-pad --reason "String.prototype.padStart does it"',
      'reject --file unwanted.txt --reason "Nobody maintains them"',
      'reject --label ci --since 2026-11-20T00:00:00Z --reason "The token leaked" --dry-run',
    ],
    bulk: {
      option: 'since',
      options: {
        since: [
          '--since <time>',
          'in place of packages: all versions submitted since then with tokens of the label',
        ],
        until: ['--until <time>', 'with --since: only what was submitted before'],
        label: ['--label <text>', 'with --since: the label of the tokens'],
        includeApproved: [
          '--include-approved',
          'with --since: versions that were approved since are rejected, too',
        ],
      },
      run: async (flags, session) => {
        const { rejectSince } = await import('../undo/reject-since.ts');
        await rejectSince(flags, session);
      },
    },
    many: { route: 'decidePackages', list: 'decisions', action: 'reject', drops: listed.decided },
    required: ['reason'],
    forPeople: presentPackage,
  },
} satisfies Partial<Words>;
