import type { Routes } from '../shared/routes.ts';
import type { Settings } from './settings.ts';

/** What people read and type of a route; all else follows from the route table. */
export interface CommandWords {
  /** What is typed, such as `scan show`. */
  readonly command: string;
  readonly examples: readonly string[];
  /** What a path parameter is, where it is no package. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** What a flag means, where it does not mean what it means elsewhere. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Flags that would say the same as another. */
  readonly hidden?: readonly string[];
  /** The columns of its tables, if not everything. */
  readonly columns?: readonly string[];
  /** From where a body comes that is more than flags. */
  readonly body?: 'file option' | 'manifest or file option' | 'file argument';
  /** What to show in place of the bare answer. */
  readonly present?: (answer: object, settings: Settings) => object;
}

/** What the groups of commands are about. */
export const groupWords: Readonly<Record<string, string>> = {
  license: 'What is known of licenses',
  scan: 'Security scans of packages',
  token: 'Tokens for those who write',
};

export const packageArgument = 'the package, such as lodash, @types/node or org.slf4j:slf4j-api';

/** What the flags mean, by the names of parameters and fields. */
export const flagWords: Readonly<Record<string, string>> = {
  approved_by: 'who approves, if not the owner of the token',
  description: 'what the package does',
  ecosystem: 'where the package is published',
  homepage: 'the address of its home page',
  license: 'its license, best as an SPDX identifier or expression',
  limit: 'at most this many, 100 unless given',
  name: 'its name, such as lodash, @types/node or org.slf4j:slf4j-api',
  offset: 'leave out this many at the beginning',
  reason: 'why; needed to reverse a decision',
  rejected_by: 'who rejects, if not the owner of the token',
  repository: 'the address of its source code',
  search: 'part of a name, or the beginning of a word of the description',
  sort: 'by time of submission; with - newest first',
  status: 'only what stands there in its review',
  submitted_by: 'who submits, if not the owner of the token',
  version: 'which version',
};

const vulnerabilityColumns = ['id', 'severity', 'summary', 'affected_range', 'fixed_versions'];

/** The words of every route. A route without does not compile. */
export const words: { readonly [K in keyof Routes]: CommandWords } = {
  showService: {
    command: 'status',
    examples: ['status', 'status --json'],
    present: (service, { url, token }) => ({
      url: url.value,
      ...service,
      token: token ? `from ${token.source}` : 'not set',
    }),
  },
  listPackages: {
    command: 'list',
    examples: [
      'list --status pending',
      'list --search log4j --sort -submitted_at',
      'list --all --ecosystem npm --jsonl | grep MIT',
    ],
  },
  showPackage: {
    command: 'show',
    examples: ['show lodash', 'show @types/node --version 24.0.0', 'show org.slf4j:slf4j-api'],
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
      'submit --from . --submitted-by you@example.com',
      'submit --file submission.json',
    ],
    hidden: ['type'],
    body: 'manifest or file option',
  },
  approvePackage: {
    command: 'approve',
    examples: [
      'approve left-pad',
      'approve left-pad --version 1.3.0',
      'approve left-pad --reason "The finding was a false alarm"',
    ],
  },
  rejectPackage: {
    command: 'reject',
    examples: ['reject left-pad --reason "String.prototype.padStart does it"'],
  },
  showScan: {
    command: 'scan show',
    examples: [
      'scan show lodash',
      'scan show org.apache.logging.log4j:log4j-core --version 2.14.1',
    ],
    columns: vulnerabilityColumns,
  },
  showLicense: {
    command: 'license show',
    examples: ['license show Apache-2.0'],
    arguments: { name: 'the license, such as MIT' },
  },
};
