import type * as z from 'zod';
import type { Routes } from '../../shared/routes.ts';
import { describeSource } from '../session/settings.ts';
import type { CommandWords } from './command-words.ts';
import { failOn } from './fail-on.ts';
import { followEvents, lastShown } from './follow-events.ts';
import { formatEvent, formatHistoryEntry } from './happenings.ts';
import { listedTable } from './listed-table.ts';
import { fitReport } from './long-report.ts';
import { readAcceptanceEnd, readExpiry, readMoment, readMomentAhead } from './moments.ts';
import { presentAffected } from './presented-affected.ts';
import { presentAttention } from './presented-attention.ts';
import { presentPackage } from './presented-package.ts';
import { presentStatistics } from './presented-statistics.ts';
import { formatScan } from './scan-picture.ts';
import { checkPolicy, testPolicy } from './test-policy.ts';
import { checkScan, describeUnscanned, presentScan } from './unscanned.ts';
import { watchScans } from './unscanned-many.ts';
import { formatEvidence } from './version-evidence.ts';

/** What the groups of commands are about. */
export const groupWords: Readonly<Record<string, string>> = {
  license: 'What is known of licenses',
  policy: 'Rules that decide on what needs no person',
  scan: 'Security scans of packages',
  token: 'Tokens for those who write',
  vulnerability: 'Vulnerabilities, which packages have them, and which are lived with',
};

export const packageArgument =
  'the package: lodash, @types/node@22.1.0, org.slf4j:slf4j-api@2.0.9, nginx:1.27.3, npm:lodash@4.17.21';

export const manyArgument =
  'npm:left-pad@1.3.0, nginx:1.27.3, or a package URL such as pkg:npm/left-pad@1.3.0; - for one a line on standard input';

/** What lists say of a package besides which one it is. */
const listedInFull = [
  ...['submitted_at', 'submitted_by', 'license_status', 'scan', 'objections', 'expires_at'],
];
const listed = {
  submitted: ['status', ...listedInFull],
  decided: ['status', 'license', ...listedInFull],
};

/** What the flags mean, by the names of parameters and fields. */
export const flagWords: Readonly<Record<string, string>> = {
  allows_commercial: 'it allows commercial use; --no-allows-commercial: it does not',
  approved_by: 'who approves, if not the owner of the token',
  category: 'of which kind it is',
  description: 'what the package does',
  force: 'keep a report all the same that is plainly about something else',
  expires: 'until when the approval holds: 90d for 90 days, or a day or time such as 2027-01-31',
  expected_status: 'only if it stands there in its review',
  ecosystem: 'where the package is published',
  homepage: 'the address of its home page',
  justification: 'why it is wanted, for whoever decides',
  license: 'its license, best as an SPDX identifier or expression',
  limit: 'at most this many, 100 unless given',
  name: 'its name, such as lodash, @types/node or org.slf4j:slf4j-api',
  note: 'what else there is to know',
  number: 'the scan of this number, which a decision of the history names; else the latest',
  offset: 'leave out this many at the beginning',
  override: 'approve whatever stands in the way; needs a reason',
  reason: 'why; needed to reject, to reverse a decision, and to override',
  rejected_by: 'who rejects, if not the owner of the token',
  repository: 'the address of its source code',
  requires_attribution: 'it requires attribution; --no-requires-attribution: it does not',
  reviewed_by: 'who decides, if not the owner of the token',
  search: 'part of a name, or the beginning of a word of the description',
  sort: 'by time of submission; with - newest first',
  status: 'only what stands there in its review',
  submitted_by: 'who submits, if not the owner of the token',
  title: 'its name in full',
  version: 'which version',
  view: 'full: with what matters for a decision, such as age, scans and what speaks against it',
};

/** The letters of the flags that are typed most, by the names of parameters and fields. */
export const flagLetters: Readonly<Record<string, string>> = {
  ecosystem: 'e',
  limit: 'n',
  reason: 'r',
  search: 'S',
  status: 's',
};

/** The routes that commands are of; what does many things at once is a part of the commands that do one. */
export type RouteName = {
  [K in keyof Routes]: Routes[K] extends { many: true } ? never : K;
}[keyof Routes];

/** The words of every route. A route without does not compile. */
export const words: {
  readonly [K in RouteName]: CommandWords<z.output<Routes[K]['success']['schema']>>;
} = {
  showService: {
    command: 'status',
    examples: ['status', 'status --json'],
    present: (service, { url, token }) => ({
      url: url.value,
      ...service,
      token: token ? `from ${token.source}` : 'not set',
    }),
  },
  showCaller: {
    command: 'whoami',
    examples: ['whoami', 'whoami --json'],
    present: (caller, { url, token }) => ({
      url: url.value,
      url_from: describeSource(url),
      ...caller,
      token_from: token ? describeSource(token) : null,
    }),
  },
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
    ],
    forPeople: presentPackage,
  },
  showEvidence: {
    command: 'show --evidence',
    examples: ['show left-pad@1.3.0 --evidence', 'show lodash --evidence --json'],
    formatAnswer: formatEvidence,
  },
  listHistory: {
    command: 'history',
    examples: ['history lodash', 'history lodash@4.17.21', 'history lodash --all --jsonl'],
    flags: { before: 'only what happened before a day or time, such as 2026-01-31' },
    read: { before: (text) => ({ before: readMoment(text) }) },
    nextParameter: 'before',
    toLines: formatHistoryEntry,
  },
  listExpirations: {
    command: 'expirations',
    examples: ['expirations --before 30d', 'expirations --after 2027-01-01 --before 2027-04-01'],
    flags: {
      before: 'only what runs out until then: a day or time, or 30d for the next 30 days',
      after: 'only what runs out later; now, if not given',
    },
    read: {
      before: (text) => ({ before: readMomentAhead(text) }),
      after: (text) => ({ after: readMomentAhead(text) }),
    },
    nextParameter: 'after',
    columns: ['expires_at', 'name', 'version', 'ecosystem'],
  },
  listEvents: {
    command: 'events',
    examples: ['events --last 20', 'events --follow', 'events --follow --after 1200 --jsonl'],
    flags: {
      after: 'only what has a higher sequence',
      last: `begin with this many of the last; ${lastShown} with --follow, unless --after is given`,
    },
    nextParameter: 'after',
    toLines: formatEvent,
    follow: followEvents,
  },
  showStatistics: {
    command: 'statistics',
    examples: ['statistics --days 7'],
    flags: { days: 'how many days up to today, 90 unless given' },
    forPeople: presentStatistics,
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
        '../../shared/domain/licenses/reading/explain-reading.ts'
      );
      return explainLicense(typeof license === 'string' ? license : null);
    },
  },
  approvePackage: {
    command: 'approve',
    examples: [
      'approve left-pad',
      'approve left-pad@1.3.0 --expires 90d',
      'approve left-pad --override --reason "Only used in tests"',
      'approve npm:left-pad@1.3.0 pypi:attrs@24.3.0',
      'approve - --expires 90d < packages.txt',
    ],
    many: {
      ...{ route: 'decidePackages', list: 'decisions', action: 'approve', drops: listed.decided },
      watch: watchScans,
    },
    hidden: ['expires_at', 'expires_in_days'],
    read: { expires: readExpiry },
    needs: { override: 'reason' },
    forPeople: presentPackage,
    warn: checkScan,
  },
  rejectPackage: {
    command: 'reject',
    examples: [
      'reject left-pad --reason "String.prototype.padStart does it"',
      'reject --file unwanted.txt --reason "Nobody maintains them"',
    ],
    many: { route: 'decidePackages', list: 'decisions', action: 'reject', drops: listed.decided },
    required: ['reason'],
    forPeople: presentPackage,
  },
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
  showLicense: {
    command: 'license show',
    examples: ['license show Apache-2.0', 'license show "MIT OR GPL-3.0-only"'],
    arguments: { name: 'the license, such as MIT, or an SPDX expression' },
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
    ],
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
  listVulnerabilities: {
    command: 'vulnerability list',
    examples: [
      'vulnerability list --status approved',
      'vulnerability list --severity critical --known-exploited true --all',
    ],
    flags: {
      severity: 'only those whose worst severity this is',
      status: 'only those that approved versions have; all unless given',
      known_exploited: 'only those that somebody has seen exploited',
      after: 'only what comes after: next of the page before',
    },
    nextParameter: 'after',
    columns: ['id', 'severity', 'cvss_score', 'known_exploited', 'versions', 'summary'],
  },
  showVulnerability: {
    command: 'vulnerability show',
    examples: ['vulnerability show CVE-2021-44228', 'vulnerability show GHSA-jfh8-c2jp-5v3q --all'],
    arguments: { id: 'any of its ids, such as CVE-2021-44228' },
    flags: { after: 'only versions that come after: next of the page before' },
    nextParameter: 'after',
    columns: ['name', 'version', 'ecosystem', 'status', 'severity', 'fixed_versions'],
    forPeople: presentAffected,
  },
  acceptVulnerability: {
    command: 'vulnerability accept',
    examples: [
      'vulnerability accept CVE-2021-23337 --expires 90d --reason "Templates come from us alone"',
      'vulnerability accept CVE-2021-23337 --expires 90d --reason "Only used in tests" --ecosystem npm --name lodash',
      'vulnerability accept --vex openvex.json --expires 90d --dry-run',
    ],
    arguments: { id: 'the vulnerability, by the id that scans show, such as CVE-2021-23337' },
    flags: {
      expires_at: 'until when: 90d for 90 days, or a day or time such as 2027-01-31',
      reason: 'why it can be lived with',
      ecosystem: 'only there; everywhere, if not given',
      name: 'only in this package',
      version: 'only in this version of the package',
    },
    typed: { expires_at: 'expires' },
    read: { expires_at: readAcceptanceEnd },
    bulk: {
      option: 'vex',
      options: {
        vex: [
          '--vex <file>',
          'in place of all that: what an OpenVEX or CycloneDX VEX document says to be harmless; - for standard input',
        ],
        everywhere: [
          '--everywhere',
          'with --vex: accept in all packages what the document says of no product',
        ],
      },
      run: async (flags, session) => {
        const { acceptVex } = await import('../vex/accept-vex.ts');
        await acceptVex(flags, session);
      },
    },
  },
  withdrawAcceptance: {
    command: 'vulnerability withdraw',
    examples: ['vulnerability withdraw CVE-2021-23337 1 --reason "Customers write templates now"'],
    arguments: {
      id: 'the vulnerability, by the id that was accepted',
      number: 'which of its acceptances',
    },
    flags: { reason: 'why it is not to be lived with any more' },
  },
  checkPackages: {
    command: 'check',
    examples: [
      'check',
      'check package-lock.json Dockerfile --allow pending',
      'check --submit --because "The importer needs it"',
      'check --baseline known.json --sarif check.sarif',
    ],
    isOwn: true,
  },
  admitPod: {
    command: 'admit',
    examples: ['admit review.json'],
    body: 'file argument',
  },
  previewPolicy: {
    command: 'policy test',
    examples: ['policy test infra/review-policy.json', 'policy test policy.json --jsonl'],
    hidden: ['after', 'limit'],
    body: 'file argument',
    fit: checkPolicy,
    run: testPolicy,
  },
  listLicenses: {
    command: 'license list',
    examples: ['license list --status rejected', 'license list --search gnu --all'],
    flags: {
      search: 'part of a name or title',
      status: 'only what the organisation thinks so of',
    },
    columns: ['name', 'title', 'status', 'category'],
  },
  setLicense: {
    command: 'license set',
    examples: [
      'license set EPL-2.0 --status approved --note "As a library, unmodified"',
      'license set EPL-2.0 --status null',
      'license set "Acme EULA" --status approved --category proprietary --no-allows-commercial',
      'license set "Acme EULA" --file license.json',
    ],
    arguments: { name: 'the license, such as MIT, or one of your own' },
    flags: {
      status: 'what the organisation thinks of it; null goes back to the policy',
      url: 'where its text is; this and what follows is for a license of your own',
    },
    // --url is that of the registry.
    typed: { url: 'text-url' },
    body: 'file option',
  },
  compareLicenses: {
    command: 'license compatibility',
    examples: ['license compatibility Apache-2.0 GPL-2.0-only'],
    arguments: {
      name: 'the license of the code',
      other: 'the license of the work that shall contain it',
    },
  },
};
