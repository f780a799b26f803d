/**
 * The tables, queues, settings and the secret that functions use: keys, indexes and the environment variable that carries
 * each. The stack creates them from here and functions read them from here, so neither can drift.
 */

import type { Ecosystem } from '../ecosystems/ecosystem.ts';

/** One attribute as partition key, one as sort key, both strings. */
interface TableDefinition {
  /** The environment variable that tells a function the table's name. */
  readonly env: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Local secondary indexes, all attributes projected: index name to its sort key. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** The attribute with the epoch second after which DynamoDB may delete the item. */
  readonly expires?: string;
  /** What a stream tells of every item that changes, if there is one. */
  readonly streamed?: 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES';
}

export const tables = {
  /** The truth: one item a package version. The indexes find the newest version under any filter in one read. */
  packages: {
    env: 'PACKAGES_TABLE',
    partitionKey: 'name_key',
    sortKey: 'version_key',
    streamed: 'NEW_IMAGE',
    indexes: {
      'by-ordinal': 'ordinal',
      'by-ecosystem': 'ecosystem_ordinal',
      'by-status': 'status_ordinal',
      'by-ecosystem-and-status': 'ecosystem_status_ordinal',
    },
  },
  /**
   * What lists and searches read: rows and counters, all derived from packages. The letters are explained where its
   * keys are made; the indexes find a page under any filter.
   */
  catalogue: {
    env: 'CATALOGUE_TABLE',
    partitionKey: 'p',
    sortKey: 'o',
    indexes: { 'by-ecosystem': 'e', 'by-status': 's', 'by-ecosystem-and-status': 'b' },
  },
  /** Every scan of every version by its number, and how far the rescan has come. */
  scans: { env: 'SCANS_TABLE', partitionKey: 'package_key', sortKey: 'scan_key' },
  /** Licenses by lower-case identifier, and the policy: what the organisation thinks of them. */
  licenses: {
    env: 'LICENSES_TABLE',
    partitionKey: 'kind',
    sortKey: 'license_key',
    indexes: { 'by-status': 'status', 'by-category': 'category' },
  },
  /**
   * A record of everything that ever happened to a package version or a license: submissions, decisions, expiries.
   * Functions may add to it, none may change or delete.
   */
  decisions: {
    env: 'DECISIONS_TABLE',
    partitionKey: 'package_key',
    sortKey: 'decision_key',
    streamed: 'NEW_IMAGE',
    indexes: { 'by-time': 'moment' },
  },
  /**
   * What reviews work with: a head for each version, what each tool found in it, what is due when, what needs attention,
   * and which versions have which vulnerability. By the old images a change is told from one that nothing follows from.
   */
  reviews: {
    env: 'REVIEWS_TABLE',
    partitionKey: 'v',
    sortKey: 'k',
    streamed: 'NEW_AND_OLD_IMAGES',
  },
  /** What happened in one order without gaps, made of the decisions' stream, and how much of it on each day. */
  events: { env: 'EVENTS_TABLE', partitionKey: 'p', sortKey: 's', streamed: 'NEW_IMAGE' },
  /** The first answer to each Idempotency-Key, for 24 hours, and how much of its quota each label has used of a day. */
  idempotency: { env: 'IDEMPOTENCY_TABLE', partitionKey: 'scope', expires: 'expires_at' },
} as const satisfies Record<string, TableDefinition>;

export type TableId = keyof typeof tables;

/** A queue between functions. */
interface QueueDefinition {
  /** The environment variable that tells a function the queue's address. */
  readonly env: string;
  /** After how many minutes a message that failed comes again: six times what its worker may take, as Lambda advises. */
  readonly hiddenMinutes: number;
}

export const queues = {
  /** Versions that were just submitted, to be scanned. */
  scan: { env: 'SCAN_QUEUE_URL', hiddenMinutes: 12 },
  /** Versions whose origins are to be asked. */
  facts: { env: 'FACTS_QUEUE_URL', hiddenMinutes: 12 },
} as const satisfies Record<string, QueueDefinition>;

export type QueueId = keyof typeof queues;

/** The definition of one table, with its optional parts. */
export const findTableDefinition = (id: TableId): TableDefinition => tables[id];

/** The file beside a function's code that holds the policy of reviews: an environment variable has no room for it. */
export const reviewPolicyFile = 'review-policy.json';

/** The environment variable that tells a function the token secret's ARN. */
export const tokensEnv = 'TOKENS_SECRET_ARN';

/** The settings of the stack that functions may need to know, and the environment variable that carries each. */
export const settingVariables = {
  /** Whether OSV.dev is asked about submitted and approved versions. */
  osvScanning: 'OSV_SCANNING',
  /** Whether origins are asked what they say of versions. */
  collectFacts: 'COLLECT_FACTS',
  /** Where the origin of each ecosystem is asked; a mirror may have a path. */
  npmUrl: 'NPM_URL',
  pypiUrl: 'PYPI_URL',
  mavenUrl: 'MAVEN_URL',
  dockerUrl: 'DOCKER_URL',
  /** How long one request to an origin may take, in milliseconds. */
  originTimeoutMs: 'ORIGIN_TIMEOUT_MS',
  /** Every how many hours an origin is asked again about a version that it has. */
  factsHours: 'FACTS_HOURS',
  /** For how many seconds package managers may keep what the gates answer. */
  gateCacheSeconds: 'GATE_CACHE_SECONDS',
  /** Where package managers get files besides the origins themselves, and at which mirrors; or `none`. */
  gateOrigins: 'GATE_ORIGINS',
  /** Whether the gate passes what builds with Maven ask for as their plugins: where it is `approved`, or all of it. */
  gateMavenPlugins: 'GATE_MAVEN_PLUGINS',
  /** Where OSV.dev is asked, without a path. */
  osvUrl: 'OSV_URL',
  /** How long one request to OSV.dev may take, in milliseconds. */
  osvTimeoutMs: 'OSV_TIMEOUT_MS',
  /** Every how many hours all approved versions are scanned again. */
  rescanHours: 'RESCAN_HOURS',
  /** From which severity on one vulnerability makes a scan fail. */
  scanFailedFrom: 'SCAN_FAILED_FROM',
  /** From which severity on one vulnerability makes a scan warn. */
  scanWarningFrom: 'SCAN_WARNING_FROM',
  /** What a vulnerability that nobody has rated makes of a scan. */
  scanUnrated: 'SCAN_UNRATED',
  /** Over how many shards each of the catalogue's counters is spread. */
  counterShards: 'COUNTER_SHARDS',
  /** How many earlier tokens a rotation leaves valid. */
  keptTokens: 'KEPT_TOKENS',
  /** For how many days an approval holds that says nothing of it; 0 for ever. */
  approvalDays: 'APPROVAL_DAYS',
  /** Which objections need an override, with commas between; or `none`. */
  blockingObjections: 'BLOCKING_OBJECTIONS',
  /** How many days old a version is to be. */
  minimumAgeDays: 'MINIMUM_AGE_DAYS',
  /** Whether a version is only approved where its license is. */
  requireApprovedLicense: 'REQUIRE_APPROVED_LICENSE',
  /** Whether nobody approves what they submitted, and everybody who decides has a token with a label. */
  fourEyes: 'FOUR_EYES',
  /** How many submissions and scans the tokens of a label may send in a day; 0: as many as they like. */
  submissionsPerDay: 'SUBMISSIONS_PER_DAY',
  scansPerDay: 'SCANS_PER_DAY',
  /** Whether an empty token list refuses everyone. */
  requireTokens: 'REQUIRE_TOKENS',
} as const satisfies Readonly<Record<string, string>> & Record<`${Ecosystem}Url`, string>;

export type SettingId = keyof typeof settingVariables | `${Ecosystem}Url`;

/** The integrity check looks at this many shards, whatever the setting says or said. */
export const maxCounterShards = 16;

/** The names of a table's indexes. */
type IndexName<T> = T extends TableId
  ? (typeof tables)[T] extends { readonly indexes: infer I }
    ? keyof I & string
    : never
  : never;

/** The DynamoDB actions that a function may ask for on a table. `QueryIndex:name` is the action Query on that index. */
export type TableAction<T extends TableId = TableId> =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | `QueryIndex:${IndexName<T>}`
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/**
 * What a function needs: the actions on each table and on the token secret, the queues that it sends to, and settings.
 * Nothing else is granted or told.
 */
export type Access = { readonly [T in TableId]?: readonly TableAction<T>[] } & {
  readonly tokens?: readonly SecretAction[];
  readonly queues?: readonly QueueId[];
  readonly settings?: readonly SettingId[];
};

/** The Secrets Manager actions on the token secret that a function may ask for. */
export type SecretAction =
  | 'GetSecretValue'
  | 'DescribeSecret'
  | 'PutSecretValue'
  | 'UpdateSecretVersionStage';
