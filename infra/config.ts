import { DEFAULT_MIRROR_URL } from '@sigstore/tuf';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { toOriginSetting } from '../shared/api/origin-setting.ts';
import { maxCounterShards } from '../shared/api/resources.ts';
import { oneOf } from '../shared/api/schemas/one-of.ts';
import { protectedSettings, protections } from '../shared/domain/deployment/protections.ts';
import { reaches } from '../shared/domain/packages/reach.ts';
import { findPreset, presetAgeDays } from '../shared/domain/policy/presets.ts';
import { recalledEcosystems, recallSources } from '../shared/domain/recalls/recall.ts';
import { defaultBlockingIssues, issueCodes } from '../shared/domain/review/approval.ts';
import { maxApprovalDays } from '../shared/domain/review/choose-expiry.ts';
import { ratings } from '../shared/domain/vulnerabilities/severity.ts';
import { verdicts } from '../shared/domain/vulnerabilities/verdict.ts';
import { type Ecosystem, ecosystems } from '../shared/ecosystems/ecosystem.ts';
import { backupSettings, findBackupKeyFault } from './backups.ts';
import { networkSettings } from './network-settings.ts';
import { originAddresses } from './origin-addresses.ts';
import {
  findStreamFault,
  RestoredStreams,
  RestoredTables,
  streamedTables,
} from './restored-tables.ts';
import {
  arn,
  awsIds,
  flag,
  hostName,
  httpsUrl,
  httpUrl,
  issuerUrl,
  keyArn,
  oneLine,
  origins,
  ownPackages,
  places,
  positive,
  someOf,
  tags,
  urlOrNone,
  whole,
} from './setting-kinds.ts';
import { SettingsError } from './settings-error.ts';
import { type Context, isSetting, readStage } from './stage.ts';

const retentionDays = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const SeverityOrNone = oneOf([...ratings, 'none']);

/** The upstream registry of each ecosystem, or its mirror. */
const originUrls = Object.fromEntries(
  Object.entries(originAddresses()).map(([one, address]) => [
    `${one}Url`,
    httpUrl.default(address),
  ]),
) as Record<`${Ecosystem}Url`, ReturnType<typeof httpUrl.default>>;

const stackNameRule = 'must start with a letter and have letters, digits and hyphens only';
/** The lowest limit with which every request can be answered. */
const leastReadUnits = 2000;

const policyFileRule = 'must be the path of a JSON file';

const shape = {
  /** `production` keeps the tables when the stack is deleted; `development` deletes everything. */
  environment: z
    .enum(['production', 'development'], { error: 'must be production or development' })
    .default('production'),
  stackName: z
    .string({ error: stackNameRule })
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, { error: stackNameRule })
    .default('PackageRegistry'),
  /** The recipients of alarms: an e-mail address, an existing SNS topic, or both. */
  alarmEmail: z.email({ error: 'must be an e-mail address' }).optional(),
  alarmTopicArn: arn('sns:[^:]+:\\d{12}:[^:]+', 'an SNS topic').optional(),
  /** Tags for each resource of the stack, such as a cost centre. */
  tags: tags.default({}),
  /** A custom domain for the API and its certificate. Each needs the other. */
  domainName: hostName.optional(),
  certificateArn: arn('acm:[^:]+:\\d{12}:certificate/[^/]+', 'a certificate of ACM').optional(),
  /** Whether the address of API Gateway is closed, so that only the custom domain answers. */
  disableDefaultEndpoint: flag.default(false),
  /** The key of the account that encrypts what the stack stores. Without it, AWS's own keys do. */
  kmsKeyArn: keyArn.optional(),
  /** The VPC endpoints of a private API. Without any, the API is public. */
  vpcEndpointIds: awsIds('vpce', 'VPC endpoints').default([]),
  ...networkSettings,
  /** Whether X-Ray traces requests, at a price. */
  tracing: flag.default(false),
  /** Whether the stack has a CloudWatch dashboard. An account pays from its fourth dashboard on. */
  dashboard: flag.default(true),
  /** The number of requests within five minutes that triggers an alarm. */
  requestSurge: positive('requests').default(30_000),
  /** The 99th percentile of the latency that triggers an alarm. */
  slowAnswerMs: positive('milliseconds').default(3000),
  /** The number of requests without a valid token within five minutes that triggers an alarm. */
  refusalBurst: positive('requests').default(100),
  /** Whether to set the role with which API Gateway logs, for the whole account and region. */
  gatewayLogRole: flag.default(true),
  logRetentionDays: whole('must be a number of days')
    .refine((days) => retentionDays.includes(days as RetentionDays), {
      error: `must be one of ${retentionDays.join(', ')}`,
    })
    .default(90),
  /** The stage's throttling limits: requests a second, and at once. Without them, the account's limits apply. */
  throttleRate: positive('requests a second').optional(),
  throttleBurst: positive('requests at once').optional(),
  /** The maximum read units a second of each table. Without it, the account's limits apply. */
  maxReadUnits: whole('must be units a second, a whole number')
    .refine((units) => units >= leastReadUnits, {
      error: `must be at least ${leastReadUnits} units a second: one request can need 1,500`,
    })
    .optional(),
  /** The submissions and scans that the tokens of a label may send in a day. 0 means no limit. */
  submissionsPerDay: whole('must be a number of submissions').default(0),
  scansPerDay: whole('must be a number of scans').default(0),
  /** Whether an empty token list rejects protected requests instead of switching authentication off. */
  requireTokens: flag.default(false),
  /** The OpenID Connect issuer of the company's accounts, and its public client for console and command line. Each needs the other. */
  oidcIssuer: issuerUrl.optional(),
  oidcClientId: oneLine('the id of a client').optional(),
  /** The audience of ID tokens of CI jobs. People may send tokens for it, too. */
  oidcAudience: oneLine('an audience').optional(),
  /** The origins to which the console sends requests for a sign-in. Without them, the deployment asks the issuer. */
  oidcOrigins: origins.optional(),
  /** The JSON file with the rules from claims of ID tokens to labels and scopes, relative to the project's folder. */
  identityRules: z
    .string({ error: policyFileRule })
    .min(1, { error: policyFileRule })
    .default('infra/identity.json'),
  /** Whether reviewers cannot approve their own submissions, and need a token with a label. */
  fourEyes: flag.default(false),
  /** The JSON file with the license policy, relative to the project's folder. */
  licensePolicy: z
    .string({ error: policyFileRule })
    .min(1, { error: policyFileRule })
    .default('infra/license-policy.json'),
  /** The review policy, whose rules decide routine versions: a preset such as balanced@2, or a JSON file in the project. */
  reviewPolicy: z
    .string({ error: policyFileRule })
    .min(1, { error: policyFileRule })
    .default('infra/review-policy.json'),
  /** The JSON file with the image registries that may be requested, relative to the project's folder. */
  imageRegistries: z
    .string({ error: policyFileRule })
    .min(1, { error: policyFileRule })
    .default('infra/image-registries.json'),
  /** The secret with the accounts at origins, mirrors and image registries, by their hosts. A role is granted the ARN, so it has no wildcard. */
  upstreamSecretArn: arn(
    'secretsmanager:[a-z0-9-]+:\\d{12}:secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}',
    'a Secrets Manager secret, with the six characters at its end',
  ).optional(),
  /** Whether an approval needs an approved license. Otherwise only a rejected license blocks it. */
  requireApprovedLicense: flag.default(false),
  /** The issues that block an approval without an override. With a preset as the review policy, `too_young` is one by default. */
  blockingIssues: someOf(...issueCodes).default(defaultBlockingIssues.join(',')),
  /** The minimum age of a version in days. A younger version has an issue. With a preset as the review policy, 7 by default. */
  minimumAgeDays: whole('must be a number of days').default(0),
  /** The days after which an approval without its own expiry date expires. 0 means never. */
  approvalDays: whole('must be a number of days')
    .refine((days) => days <= maxApprovalDays, { error: `must be at most ${maxApprovalDays}` })
    .default(0),
  /** The interval in days at which Secrets Manager rotates the generated token. Without it, never. */
  rotationDays: whole('must be a number of days')
    .refine((days) => days >= 1 && days <= 1000, { error: 'must be from 1 to 1000' })
    .optional(),
  /** The number of earlier tokens that stay valid after a rotation, while clients switch. */
  keptTokens: whole('must be a number of tokens')
    .refine((count) => count >= 1 && count <= 10, { error: 'must be from 1 to 10' })
    .default(1),
  memoryMb: whole('must be a number of megabytes')
    .refine((size) => size >= 128 && size <= 10240, { error: 'must be from 128 to 10240' })
    .default(1024),
  /** The instances reserved for each function of the gate, and its maximum. Without it, they share the account's. */
  gateConcurrency: positive('instances').optional(),
  /** The most instances of each worker of a stream or a queue. Lambda reserves those of a stream's worker. */
  workerConcurrency: whole('must be a number of instances')
    .refine((count) => count >= 2 && count <= 1000, {
      error: 'must be from 2 to 1000, the limits of SQS',
    })
    .optional(),
  /** The number of shards of each counter. More shards allow more writes at once. */
  counterShards: whole('must be a number of shards')
    .refine((count) => count >= 1 && count <= maxCounterShards, {
      error: `must be from 1 to ${maxCounterShards}`,
    })
    .default(4),
  /** The URL that receives each event, and the secret for its header. Each needs the other. */
  webhookUrl: httpsUrl.optional(),
  webhookSecretArn: arn(
    'secretsmanager:[^:]+:\\d{12}:secret:[^:]+',
    'a Secrets Manager secret',
  ).optional(),
  restoredTables: RestoredTables.default({}),
  /** The streams of restored tables that have stream consumers. */
  restoredStreams: RestoredStreams.default({}),
  /** What this deployment loosens on purpose: protected settings, and the data format after a restore of all tables. */
  loosen: someOf(...protectedSettings, 'dataFormat').default('none'),
  ...backupSettings,
  /** Whether OSV.dev scans submitted and approved versions. */
  osvScanning: flag.default(true),
  osvUrl: httpUrl.default('https://api.osv.dev'),
  osvTimeoutMs: positive('milliseconds')
    .refine((ms) => ms <= 20_000, { error: 'must be at most 20000 milliseconds' })
    .default(5000),
  /** Whether workers collect upstream metadata of versions from npm, PyPI, Maven Central and image registries. */
  collectFacts: flag.default(true),
  ...originUrls,
  originTimeoutMs: positive('milliseconds')
    .refine((ms) => ms <= 20_000, { error: 'must be at most 20000 milliseconds' })
    .default(10_000),
  /** The interval in hours at which upstream metadata of a version is refreshed. */
  factsHours: positive('hours').default(168),
  /** The largest step of the updates that the registry submits itself. With the presets balanced and strict, minor by default. */
  followUpdates: oneOf(['none', ...reaches]).default('none'),
  /** The updates, with their dependencies, that the registry submits in a day. Security fixes have a fifth for themselves. */
  updatesPerDay: positive('updates').default(1000),
  /** Whether an install through the gate with a token submits what the registry does not have. */
  gateRequests: flag.default(false),
  /** Whether each approval and rejection is signed with a key of the stack, which has a price. */
  signDecisions: flag.default(false),
  /** The TUF repository with the trusted root of Sigstore, which is refreshed daily; or `none`. */
  trustedRootUrl: urlOrNone.default(DEFAULT_MIRROR_URL),
  /** The seconds for which package managers may cache responses of the gate. */
  gateCacheSeconds: positive('seconds').default(60),
  /** More hosts of package files, each with an optional mirror. */
  gateOrigins: places.default('none'),
  /** The names of the organisation's own packages, which need no review and are not asked at public origins. */
  ownPackages: ownPackages.default('none'),
  /** Whether the gate serves all Maven plugins, or only approved versions. */
  gateMavenPlugins: oneOf(['approved', 'pass']).default('approved'),
  /** The interval in hours at which all approved versions are rescanned. */
  rescanHours: positive('hours').default(24),
  /** The interval in days at which the integrity check begins. 0 means never. */
  integrityDays: whole('must be a number of days').default(7),
  /** The signals that recall an approved version. By default all of them, but removals only from public registries. */
  recall: someOf(...recallSources).optional(),
  /** The interval in minutes at which the malware feed and reports of removals are read. */
  recallMinutes: positive('minutes').default(2),
  malwareFeedUrl: httpUrl.default('https://osv-vulnerabilities.storage.googleapis.com'),
  /** The severities from which one vulnerability makes a scan fail, and warn. */
  scanFailedFrom: SeverityOrNone.default('high'),
  scanWarningFrom: SeverityOrNone.default('low'),
  /** The verdict of a scan with a vulnerability of unknown severity. */
  scanUnrated: oneOf(verdicts).default('warning'),
};

// A setting without a protection does not compile: its author decides which one it has.
protections satisfies Readonly<Record<keyof typeof shape, unknown>>;

type Shape = z.output<z.ZodObject<typeof shape>>;

/** Pairs of settings that need each other. */
const pairs = [
  ['subnetIds', 'securityGroupIds'],
  ['throttleRate', 'throttleBurst'],
  ['webhookUrl', 'webhookSecretArn'],
  ['domainName', 'certificateArn'],
  ['oidcIssuer', 'oidcClientId'],
] as const;

/** The settings with addresses of other services. */
const externalUrls = [
  ...(['osvUrl', 'malwareFeedUrl', 'trustedRootUrl', 'oidcIssuer'] as const),
  ...ecosystems.map(toOriginSetting),
] as const;

/** Returns whether an empty token list rejects requests. Where accounts or jobs have access, it never opens the registry. */
const needsTokens = ({ requireTokens, oidcIssuer, oidcAudience }: Shape): boolean =>
  requireTokens || oidcIssuer !== undefined || oidcAudience !== undefined;

/** Adds an issue for each combination of settings that is not valid. */
const checkTogether = (settings: Shape, context: z.RefinementCtx): void => {
  const { environment } = settings;
  const demand = (path: string, why: string): void =>
    context.addIssue({ code: 'custom', path: [path], message: `is required: ${why}` });
  for (const [one, other] of pairs) {
    const missing = [one, other].filter((name) => !settings[name]?.toString());
    if (missing.length === 1) demand(`${missing[0]}`, `${one} and ${other} go together`);
  }
  if (settings.fourEyes && !needsTokens(settings)) {
    demand('requireTokens', 'fourEyes identifies people by their tokens');
  }
  if (settings.domainName !== undefined && settings.vpcEndpointIds.length > 0) {
    const message = 'is for a public API: the DNS of a VPC names a private one';
    context.addIssue({ code: 'custom', path: ['domainName'], message });
  }
  if (settings.disableDefaultEndpoint && settings.domainName === undefined) {
    demand('domainName', 'disableDefaultEndpoint closes the only other address');
  }
  if (settings.followUpdates !== 'none' && !settings.collectFacts) {
    demand('collectFacts', 'followUpdates finds newer versions in upstream metadata');
  }
  for (const name of externalUrls) {
    if (environment === 'production' && /^http:/i.test(settings[name] ?? '')) {
      const message = 'must be an https URL in production';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }
  if (settings.noProxy !== undefined && settings.proxyUrl === undefined) {
    demand('proxyUrl', 'noProxy has the hosts without it');
  }
  if (settings.oidcOrigins !== undefined && settings.oidcIssuer === undefined) {
    demand('oidcIssuer', 'oidcOrigins are for its sign-in');
  }
  if (environment === 'production' && /http:/.test(settings.oidcOrigins ?? '')) {
    const message = 'must be https origins in production';
    context.addIssue({ code: 'custom', path: ['oidcOrigins'], message });
  }
  const keyFault = findBackupKeyFault(settings);
  if (keyFault) context.addIssue({ code: 'custom', path: ['backupKeyArn'], message: keyFault });
  for (const id of streamedTables) {
    const message = findStreamFault(settings, id);
    if (message) context.addIssue({ code: 'custom', path: ['restoredStreams'], message });
  }
};

const isPublic = (settings: Shape, ecosystem: Ecosystem): boolean =>
  settings[toOriginSetting(ecosystem)] === originAddresses()[ecosystem];

/**
 * Returns the settings with the signals of recalls, and the ecosystems in which a removal upstream recalls. A mirror may lose
 * versions, so its removals recall only if `recall` names them.
 */
const completeRecall = (settings: Shape) => {
  const { recall } = settings;
  const watched = recalledEcosystems.filter(
    (ecosystem) => recall !== undefined || isPublic(settings, ecosystem),
  );
  const signals = recall ?? recallSources.join(',');
  const removals = signals.split(',').includes('removed') ? watched : [];
  return { ...settings, recall: signals, removalRecalls: removals.join(',') || 'none' };
};

/** The settings of one deployment, from the file of its stage and from CDK context (`-c name=value`). */
export const Settings = z
  .object(shape)
  .superRefine(checkTogether)
  .transform((settings) => ({
    ...completeRecall(settings),
    requireTokens: needsTokens(settings),
    oidcOrigins: settings.oidcOrigins ?? 'none',
  }));
export type Settings = z.output<typeof Settings>;

const listUnknownSettings = (context: Context): [name: string, message: string][] =>
  Object.keys(context)
    .filter((key) => isSetting(key) && !Object.hasOwn(shape, key))
    .map((key) => [key, `is unknown; there are ${Object.keys(shape).join(', ')}`]);

/**
 * Returns the defaults of settings that depend on the review policy. With a preset, a version younger than 7 days is blocked:
 * also a person needs an override to approve it. With a preset that approves, the registry submits minor updates itself.
 */
const findPolicyDefaults = ({ reviewPolicy, collectFacts = true }: Context) => {
  const preset = typeof reviewPolicy === 'string' ? findPreset(reviewPolicy) : undefined;
  if (!preset) return {};
  const approves = preset.rules.some(({ then }) => then === 'approve');
  return {
    minimumAgeDays: presetAgeDays,
    blockingIssues: [...defaultBlockingIssues, 'too_young'].join(','),
    ...(approves && String(collectFacts) === 'true' && { followUpdates: 'minor' }),
  };
};

/**
 * Returns the settings of a CDK context, with those of the stage that it names.
 * @throws {SettingsError} naming each wrong setting, and its file
 */
export const parseSettings = (given: Context, folder?: string): Settings => {
  const { context, describeSource } = readStage(given, folder);
  const result = Settings.safeParse({ ...findPolicyDefaults(context), ...context });
  const wrong = (result.error?.issues ?? []).map(
    ({ path, message }): [name: string, message: string] => [path.join('.'), message],
  );
  const problems = [...listUnknownSettings(context), ...wrong].map(
    ([name, message]) => `${describeSource(name.split('.', 1).join())}${name} ${message}`,
  );
  if (!result.success || problems.length > 0) throw new SettingsError(problems.join('\n'));
  return result.data;
};
