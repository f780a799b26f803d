import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { toOriginSetting } from '../shared/api/origin-setting.ts';
import { maxCounterShards } from '../shared/api/resources.ts';
import { defaultBlockingObjections, objectionCodes } from '../shared/domain/review/approval.ts';
import { maxApprovalDays } from '../shared/domain/review/choose-expiry.ts';
import { ratings } from '../shared/domain/vulnerabilities/severity.ts';
import { verdicts } from '../shared/domain/vulnerabilities/verdict.ts';
import { type Ecosystem, ecosystems } from '../shared/ecosystems/ecosystem.ts';
import { originAddresses } from './origin-addresses.ts';
import {
  findStreamFault,
  RestoredStreams,
  RestoredTables,
  streamedTables,
} from './restored-tables.ts';
import {
  arn,
  flag,
  hostName,
  httpsUrl,
  httpUrl,
  oneOf,
  places,
  positive,
  someOf,
  tags,
  vpcEndpoints,
  whole,
} from './setting-kinds.ts';

const retentionDays = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const SeverityOrNone = oneOf(...ratings, 'none');

/** Where the origin of each ecosystem is asked, or a mirror of it. */
const originUrls = Object.fromEntries(
  Object.entries(originAddresses()).map(([one, address]) => [
    `${one}Url`,
    httpUrl.default(address),
  ]),
) as Record<`${Ecosystem}Url`, ReturnType<typeof httpUrl.default>>;

const stackNameRule = 'must start with a letter and have letters, digits and hyphens only';
const policyFileRule = 'must be the path of a JSON file';

const shape = {
  /** `production` keeps tables when the stack goes; `development` deletes everything. */
  environment: z
    .enum(['production', 'development'], { error: 'must be production or development' })
    .default('production'),
  stackName: z
    .string({ error: stackNameRule })
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, { error: stackNameRule })
    .default('PackageRegistry'),
  /** Who is told of alarms: an address, a topic that exists, or both. */
  alarmEmail: z.email({ error: 'must be an e-mail address' }).optional(),
  alarmTopicArn: arn('sns:[^:]+:\\d{12}:[^:]+', 'an SNS topic').optional(),
  /** What each resource of the stack is marked with, such as who pays for it. */
  tags: tags.default({}),
  /** A name of the organisation's own for the API, and the certificate for it: either goes with the other. */
  domainName: hostName.optional(),
  certificateArn: arn('acm:[^:]+:\\d{12}:certificate/[^/]+', 'a certificate of ACM').optional(),
  /** Where the API is to be reached from within networks alone: the VPC endpoints that lead to it. */
  vpcEndpointIds: vpcEndpoints.default([]),
  /** Whether X-Ray records how long the parts of a request took, which has a price. */
  tracing: flag.default(false),
  /** Whether there is a dashboard of all that matters, which has a price where there are more than three. */
  dashboard: flag.default(true),
  /** Requests within five minutes at which an alarm goes off. */
  requestSurge: positive('requests').default(30_000),
  /** The 99th percentile of answer times above which an alarm goes off. */
  slowAnswerMs: positive('milliseconds').default(3000),
  /** Requests without a token or with a wrong one, within five minutes, at which an alarm goes off. */
  refusalBurst: positive('requests').default(100),
  /** Whether to set the role by which API Gateway logs, one for the whole account and region. */
  gatewayLogRole: flag.default(true),
  logRetentionDays: whole('must be a number of days')
    .refine((days) => retentionDays.includes(days as RetentionDays), {
      error: `must be one of ${retentionDays.join(', ')}`,
    })
    .default(90),
  /** Requests a second and at once that the stage lets through; no limit of ours without them. */
  throttleRate: positive('requests a second').optional(),
  throttleBurst: positive('requests at once').optional(),
  /** How many units a second each table lets be read; no limit of ours without it. */
  maxReadUnits: positive('units a second').optional(),
  /** How many submissions and scans the tokens of a label may send in a day; 0: as many as they like. */
  submissionsPerDay: whole('must be a number of submissions').default(0),
  scansPerDay: whole('must be a number of scans').default(0),
  /** Whether an empty token list refuses protected requests instead of switching authentication off. */
  requireTokens: flag.default(false),
  /** Whether nobody approves what they submitted, and everybody who decides has a token with a label. */
  fourEyes: flag.default(false),
  /** The JSON file that says what the organisation thinks of licenses, from the project's folder. */
  licensePolicy: z
    .string({ error: policyFileRule })
    .min(1, { error: policyFileRule })
    .default('infra/license-policy.json'),
  /** The JSON file with the rules that decide on what needs no person, from the project's folder. */
  reviewPolicy: z
    .string({ error: policyFileRule })
    .min(1, { error: policyFileRule })
    .default('infra/review-policy.json'),
  /** Whether a version is only approved where its license is: otherwise only a rejected license stands in the way. */
  requireApprovedLicense: flag.default(false),
  /** Which objections need an override. */
  blockingObjections: someOf(...objectionCodes).default(defaultBlockingObjections.join(',')),
  /** How many days old a version is to be; a younger one has an objection. */
  minimumAgeDays: whole('must be a number of days').default(0),
  /** For how many days an approval holds that says nothing of it; 0 for ever. */
  approvalDays: whole('must be a number of days')
    .refine((days) => days <= maxApprovalDays, { error: `must be at most ${maxApprovalDays}` })
    .default(0),
  /** Every how many days the token that rotation owns is replaced; never without it. */
  rotationDays: whole('must be a number of days')
    .refine((days) => days >= 1 && days <= 1000, { error: 'must be from 1 to 1000' })
    .optional(),
  /** How many earlier tokens a rotation leaves valid, so that clients can move. */
  keptTokens: whole('must be a number of tokens')
    .refine((count) => count >= 1 && count <= 10, { error: 'must be from 1 to 10' })
    .default(1),
  memoryMb: whole('must be a number of megabytes')
    .refine((size) => size >= 128 && size <= 10240, { error: 'must be from 128 to 10240' })
    .default(1024),
  /** Over how many shards each of the catalogue's counters is spread: more carry more writes at once. */
  counterShards: whole('must be a number of shards')
    .refine((count) => count >= 1 && count <= maxCounterShards, {
      error: `must be from 1 to ${maxCounterShards}`,
    })
    .default(4),
  /** Where each event is posted, and the secret that is sent along: either goes with the other. */
  webhookUrl: httpsUrl.optional(),
  webhookSecretArn: arn(
    'secretsmanager:[^:]+:\\d{12}:secret:[^:]+',
    'a Secrets Manager secret',
  ).optional(),
  restoredTables: RestoredTables.default({}),
  /** Their streams, of those that drive what follows from them. */
  restoredStreams: RestoredStreams.default({}),
  /** Whether OSV.dev is asked about submitted and approved versions. */
  osvScanning: flag.default(true),
  osvUrl: httpUrl.default('https://api.osv.dev'),
  osvTimeoutMs: positive('milliseconds')
    .refine((ms) => ms <= 20_000, { error: 'must be at most 20000 milliseconds' })
    .default(5000),
  /** Whether the registries that packages come from are asked what they say of versions. */
  collectFacts: flag.default(true),
  ...originUrls,
  originTimeoutMs: positive('milliseconds')
    .refine((ms) => ms <= 20_000, { error: 'must be at most 20000 milliseconds' })
    .default(10_000),
  /** Every how many hours they are asked again about a version that they have. */
  factsHours: positive('hours').default(168),
  /** For how many seconds package managers may keep what the gates answer. */
  gateCacheSeconds: positive('seconds').default(60),
  /** Where package managers get files besides the origins themselves, and at which mirrors. */
  gateOrigins: places.default('none'),
  /** What the gate passes of what builds with Maven ask for as their plugins: what is approved, or everything. */
  gateMavenPlugins: oneOf('approved', 'pass').default('approved'),
  /** Every how many hours all approved versions are scanned again. */
  rescanHours: positive('hours').default(24),
  /** From which severity on one vulnerability makes a scan fail, and warn. */
  scanFailedFrom: SeverityOrNone.default('high'),
  scanWarningFrom: SeverityOrNone.default('low'),
  /** What a vulnerability that nobody has rated makes of a scan. */
  scanUnrated: oneOf(...verdicts).default('warning'),
};

type Shape = z.output<z.ZodObject<typeof shape>>;

/** Settings of which neither means anything alone. */
const pairs = [
  ['throttleRate', 'throttleBurst'],
  ['webhookUrl', 'webhookSecretArn'],
  ['domainName', 'certificateArn'],
] as const;

/** What is asked over the internet. */
const asked = ['osvUrl', ...ecosystems.map(toOriginSetting)] as const;

/** Settings that need each other. */
const checkTogether = (settings: Shape, context: z.RefinementCtx): void => {
  const { environment } = settings;
  const demand = (path: string, why: string): void =>
    context.addIssue({ code: 'custom', path: [path], message: `is required: ${why}` });
  for (const [one, other] of pairs) {
    const missing = [one, other].filter((name) => settings[name] === undefined);
    if (missing.length === 1) demand(`${missing[0]}`, `${one} and ${other} go together`);
  }
  if (settings.fourEyes && !settings.requireTokens) {
    demand('requireTokens', 'fourEyes tells people apart by their tokens');
  }
  if (settings.domainName !== undefined && settings.vpcEndpointIds.length > 0) {
    const message =
      'is for an API that everybody reaches: a name within networks is theirs to give';
    context.addIssue({ code: 'custom', path: ['domainName'], message });
  }
  for (const name of asked) {
    if (environment === 'production' && settings[name].startsWith('http:')) {
      const message = 'must be an https URL in production';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }
  for (const id of streamedTables) {
    const message = findStreamFault(settings, id);
    if (message) context.addIssue({ code: 'custom', path: ['restoredStreams'], message });
  }
};

/** What one deployment is told by CDK context (`-c name=value`, or `context` in cdk.json). */
export const Settings = z.object(shape).superRefine(checkTogether);
export type Settings = z.output<typeof Settings>;

/**
 * What becomes of what holds data or logs when the stack goes: production keeps it, but has CloudFormation delete what
 * a failed first deployment made, which is empty.
 */
export const chooseRemovalPolicy = ({ environment }: Settings): RemovalPolicy =>
  environment === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** One or more settings are wrong; the message has a line for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** What `cdk acknowledge` and `cdk cli-telemetry` keep in cdk.context.json. */
const cliKeys = ['acknowledged-issue-numbers', 'cli-telemetry'];

/** CDK's feature flags and cached look-ups have a colon or a slash in them; a setting has not. */
const isSetting = (key: string): boolean => !/[:/]/.test(key) && !cliKeys.includes(key);

const listUnknownSettings = (context: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(context)
    .filter((key) => isSetting(key) && !Object.hasOwn(shape, key))
    .map((key) => `${key} is unknown; there are ${Object.keys(shape).join(', ')}`);

/** Reads the settings from CDK context. Throws a SettingsError that names each wrong one. */
export const parseSettings = (context: Readonly<Record<string, unknown>>): Settings => {
  const result = Settings.safeParse(context);
  const wrong = (result.error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')} ${message}`,
  );
  const problems = [...listUnknownSettings(context), ...wrong];
  if (!result.success || problems.length > 0) throw new SettingsError(problems.join('\n'));
  return result.data;
};
