/**
 * Tables, queues, settings and the token secret of functions, with keys, indexes and environment variables. The stack
 * and the functions share these definitions, so that they cannot differ.
 */

import type { Ecosystem } from '../ecosystems/ecosystem.ts';

interface GlobalIndex {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly projected: readonly string[];
}

/** DynamoDB table. Its partition key and its sort key are strings. */
interface TableDefinition {
  /** Environment variable with the table's name. */
  readonly env: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Sort keys of local secondary indexes by index name. All attributes are projected. */
  readonly indexes?: Readonly<Record<string, string>>;
  /**
   * Global secondary indexes by name, with reads that may miss the last second. Only items with both key attributes are in one,
   * with their keys and the attributes `projected`.
   */
  readonly globalIndexes?: Readonly<Record<string, GlobalIndex>>;
  /** Attribute with the epoch second after which DynamoDB may delete the item (TTL). */
  readonly expires?: string;
  /** Item images in the table's stream. Without a value, the table has no stream. */
  readonly streamed?: 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES';
}

export const tables = {
  /**
   * Source of truth: one item for each package version. The indexes find the newest version under any filter in one
   * read.
   */
  packages: {
    env: 'PACKAGES_TABLE',
    partitionKey: 'name_key',
    sortKey: 'version_key',
    streamed: 'NEW_IMAGE',
    indexes: {
      'by-sequence': 'sequence',
      'by-ecosystem': 'ecosystem_sequence',
      'by-status': 'status_sequence',
      'by-ecosystem-and-status': 'ecosystem_status_sequence',
    },
  },
  /**
   * Read model of lists and searches: rows and counters, all derived from packages. The functions that build its keys
   * explain the letters. Without local indexes, DynamoDB can split a partition key that is busy or large.
   */
  catalogue: {
    env: 'CATALOGUE_TABLE',
    partitionKey: 'p',
    sortKey: 'o',
  },
  /** All scans of all versions by number, and the progress of the rescan. */
  scans: { env: 'SCANS_TABLE', partitionKey: 'package_key', sortKey: 'scan_key' },
  /** Licenses by lower-case identifier, and the organisation's license policy. */
  licenses: {
    env: 'LICENSES_TABLE',
    partitionKey: 'kind',
    sortKey: 'license_key',
    indexes: { 'by-status': 'status', 'by-category': 'category' },
  },
  /**
   * Append-only records of all that happened to package versions and licenses: submissions, decisions, expiries. No
   * function may change or delete a record.
   */
  decisions: {
    env: 'DECISIONS_TABLE',
    partitionKey: 'package_key',
    sortKey: 'decision_key',
    streamed: 'NEW_IMAGE',
    indexes: { 'by-time': 'moment' },
  },
  /**
   * Data of reviews: the review state of each version, findings of each scan source, due work, versions that need
   * attention, versions by vulnerability, and approved names. With old images, stream consumers can skip changes without effect.
   * The index finds the packages and versions whose upstream metadata is due for a refresh.
   */
  reviews: {
    env: 'REVIEWS_TABLE',
    partitionKey: 'v',
    sortKey: 'k',
    streamed: 'NEW_AND_OLD_IMAGES',
    globalIndexes: {
      'by-refresh': {
        partitionKey: 'refresh_in',
        sortKey: 'refresh_at',
        projected: ['spelling'],
      },
    },
  },
  /** Events in one sequence without gaps, derived from the stream of decisions, and their daily counts. */
  events: { env: 'EVENTS_TABLE', partitionKey: 'p', sortKey: 's', streamed: 'NEW_IMAGE' },
  /**
   * Idempotency records, which hold the first response to a key for 24 hours, and the used daily quota of each label.
   */
  idempotency: { env: 'IDEMPOTENCY_TABLE', partitionKey: 'scope', expires: 'expires_at' },
  /**
   * Projects, what each of their refs uses, and the projects that use each package version. The functions that build its
   * keys explain the partitions.
   */
  projects: { env: 'PROJECTS_TABLE', partitionKey: 'p', sortKey: 'k' },
} as const satisfies Record<string, TableDefinition>;

export type TableId = keyof typeof tables;

export const tableIds = Object.keys(tables) as TableId[];

/** A queue between functions. */
interface QueueDefinition {
  /** Environment variable with the queue's URL. */
  readonly env: string;
  /** Visibility timeout, in minutes: six times the timeout of the worker, as Lambda recommends. */
  readonly hiddenMinutes: number;
}

export const queues = {
  /** New versions, which need their first scan. */
  scan: { env: 'SCAN_QUEUE_URL', hiddenMinutes: 12 },
  /** Versions that need an upstream fetch. */
  facts: { env: 'FACTS_QUEUE_URL', hiddenMinutes: 12 },
  /** Submissions that the registry makes itself: updates, and packages that an install asked for. */
  submissions: { env: 'SUBMISSIONS_QUEUE_URL', hiddenMinutes: 12 },
} as const satisfies Record<string, QueueDefinition>;

export type QueueId = keyof typeof queues;

/** Returns the definition of a table, with its optional fields. */
export const findTableDefinition = (id: TableId): TableDefinition => tables[id];

/** File with the review policy, beside a function's code. The policy can be too long for an environment variable. */
export const reviewPolicyFile = 'review-policy.json';

/** File with the image registries, beside a function's code. Only registries of this list are requested. */
export const imageRegistriesFile = 'image-registries.json';

/**
 * Partition of the table `reviews` with the progress of the policy's run over all pending versions, and the request for one.
 * Each step of a run is a record in the table's stream, which starts the next step.
 */
export const policyRunPartition = '#policy-run';

/** Environment variable with the ARN of the token secret. */
export const tokensEnv = 'TOKENS_SECRET_ARN';

/** Environment variable with the ARN of the key that signs decisions. */
export const signingKeyEnv = 'SIGNING_KEY_ARN';

/** Environment variable with the ARN of the secret with the accounts at upstream services. It is set if there is a secret. */
export const upstreamSecretEnv = 'UPSTREAM_SECRET_ARN';

/** Environment variable of each stack setting that functions can read. */
export const settingVariables = {
  /** Whether OSV.dev scans submitted and approved versions. */
  osvScanning: 'OSV_SCANNING',
  /** Whether workers collect upstream metadata of versions. */
  collectFacts: 'COLLECT_FACTS',
  /** URL of each ecosystem's origin. The URL of a mirror may have a path. */
  npmUrl: 'NPM_URL',
  pypiUrl: 'PYPI_URL',
  mavenUrl: 'MAVEN_URL',
  dockerUrl: 'DOCKER_URL',
  /** Timeout of one request to an origin, in milliseconds. */
  originTimeoutMs: 'ORIGIN_TIMEOUT_MS',
  /** URL of the TUF repository with the trusted root of Sigstore, which checks provenance. */
  trustedRootUrl: 'TRUSTED_ROOT_URL',
  /** Interval in hours at which the upstream metadata of a version is refreshed. */
  factsHours: 'FACTS_HOURS',
  /** Seconds for which package managers may cache responses of the gate. */
  gateCacheSeconds: 'GATE_CACHE_SECONDS',
  /** More hosts of package files, besides the origins, each with an optional mirror; or `none`. */
  gateOrigins: 'GATE_ORIGINS',
  /** Names of the organisation's own packages, which need no review; or `none`. */
  ownPackages: 'OWN_PACKAGES',
  /** Maven plugins that the gate serves: `approved` versions only, or all of them (`pass`). */
  gateMavenPlugins: 'GATE_MAVEN_PLUGINS',
  /** URL of OSV.dev, without a path. */
  osvUrl: 'OSV_URL',
  /** Timeout of one request to OSV.dev, in milliseconds. */
  osvTimeoutMs: 'OSV_TIMEOUT_MS',
  /** URL of OSV's public export, whose lists of changes are the malware feed. */
  malwareFeedUrl: 'MALWARE_FEED_URL',
  /** Signals that recall approved versions, separated by commas; or `none`. */
  recall: 'RECALL',
  /** Ecosystems in which a removal upstream recalls an approved version, separated by commas; or `none`. */
  removalRecalls: 'REMOVAL_RECALLS',
  /** Interval in hours at which all approved versions are rescanned. */
  rescanHours: 'RESCAN_HOURS',
  /** Interval in days at which the scheduled integrity check begins; 0 means never. */
  integrityDays: 'INTEGRITY_DAYS',
  /** Severity from which one vulnerability makes a scan fail. */
  scanFailedFrom: 'SCAN_FAILED_FROM',
  /** Severity from which one vulnerability makes a scan warn. */
  scanWarningFrom: 'SCAN_WARNING_FROM',
  /** Verdict of a scan with a vulnerability of unknown severity. */
  scanUnrated: 'SCAN_UNRATED',
  /** Number of shards of each counter in the catalogue. */
  counterShards: 'COUNTER_SHARDS',
  /** Number of earlier tokens that stay valid after a rotation. */
  keptTokens: 'KEPT_TOKENS',
  /** Days after which an approval without its own expiry date expires; 0 means never. */
  approvalDays: 'APPROVAL_DAYS',
  /** Codes of the blocking issues, which need an override, separated by commas; or `none`. */
  blockingIssues: 'BLOCKING_ISSUES',
  /** Minimum age of a version, in days. */
  minimumAgeDays: 'MINIMUM_AGE_DAYS',
  /** Whether an approval needs an approved license. */
  requireApprovedLicense: 'REQUIRE_APPROVED_LICENSE',
  /** Whether submitters cannot approve their own versions. Submitters and deciders then need tokens with labels. */
  fourEyes: 'FOUR_EYES',
  /** Maximum submissions and scans that the tokens of a label may send in a day; 0 means no limit. */
  submissionsPerDay: 'SUBMISSIONS_PER_DAY',
  scansPerDay: 'SCANS_PER_DAY',
  /** Whether an empty token list rejects protected requests instead of switching authentication off. */
  requireTokens: 'REQUIRE_TOKENS',
  /** Origins to which the console sends requests for a sign-in, separated by commas; or `none`. */
  oidcOrigins: 'OIDC_ORIGINS',
  /** Largest step of the updates that the registry submits itself: `patch`, `minor` or `major`; or `none`. */
  followUpdates: 'FOLLOW_UPDATES',
  /** Maximum number of updates, with their dependencies, that the registry submits in a day. */
  updatesPerDay: 'UPDATES_PER_DAY',
  /** Whether an install through the gate with a token submits what the registry does not have. */
  gateRequests: 'GATE_REQUESTS',
  /** Whether each approval and rejection is signed with a key of the stack. */
  signDecisions: 'SIGN_DECISIONS',
} as const satisfies Readonly<Record<string, string>> & Record<`${Ecosystem}Url`, string>;

export type SettingId = keyof typeof settingVariables | `${Ecosystem}Url`;

/**
 * Maximum of `counterShards`. The integrity check reads this many shards, regardless of the setting's current or
 * earlier value.
 */
export const maxCounterShards = 32;

/** Names of a table's local and global indexes. */
type IndexName<T> = T extends TableId
  ?
      | ((typeof tables)[T] extends { readonly indexes: infer I } ? keyof I & string : never)
      | ((typeof tables)[T] extends { readonly globalIndexes: infer I } ? keyof I & string : never)
  : never;

/** DynamoDB actions that a function can request on a table. `QueryIndex:name` is the action Query on that index. */
export type TableAction<T extends TableId = TableId> =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | `QueryIndex:${IndexName<T>}`
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/**
 * Access of a function: actions on tables, secrets, the signing key and the stack itself, target queues, and settings. The stack
 * grants and passes nothing else.
 */
export type Access = { readonly [T in TableId]?: readonly TableAction<T>[] } & {
  readonly tokens?: readonly SecretAction[];
  readonly upstreamSecret?: readonly ['GetSecretValue'];
  readonly signingKey?: readonly SigningKeyAction[];
  readonly stack?: readonly ['DescribeStacks'];
  readonly queues?: readonly QueueId[];
  readonly settings?: readonly SettingId[];
};

/** Settings that can be off, and that give some functions further access while they are on. */
export const accessSettings = [
  'followUpdates',
  'gateRequests',
  'signDecisions',
  'upstreamSecretArn',
] as const;
export type AccessSetting = (typeof accessSettings)[number];

/** Access of a function that only some deployments need, by the setting that must be on. */
export type OptionalAccess = { readonly [S in AccessSetting]?: Access };

/** Returns all access of a function in a deployment: its own, and that of the settings that are on. */
export const listAccess = (
  { access, accessWith = {} }: { readonly access: Access; readonly accessWith?: OptionalAccess },
  isOn: (setting: AccessSetting) => boolean,
): readonly Access[] => [
  access,
  ...accessSettings.filter(isOn).flatMap((setting) => accessWith[setting] ?? []),
];

/** Secrets Manager actions that a function can request on the token secret. */
export type SecretAction =
  | 'GetSecretValue'
  | 'DescribeSecret'
  | 'PutSecretValue'
  | 'UpdateSecretVersionStage';

/** KMS actions that a function can request on the signing key. */
export type SigningKeyAction = 'Sign' | 'GetPublicKey';
