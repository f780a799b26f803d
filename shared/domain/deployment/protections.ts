import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';

/**
 * Protection of a setting: true if the second value is looser than the first one. Values are texts, as CloudFormation keeps
 * them. `none`, `0`, `false` and `default` mean that nobody set a value.
 */
type Protection = (before: string, after: string) => boolean;

const unset: ReadonlySet<string> = new Set(['none', '0', 'false', 'default']);

/** A switch or a value that must not disappear. Another value is a decision that somebody wrote down. */
const given: Protection = (before, after) => !unset.has(before) && unset.has(after);

/** A file, preset or address that must not return to its default, which the values name `default`. */
const chosen: Protection = (before, after) => given(before, after);

/** An address that must neither return to its default nor become `none`. */
const chosenOrNone: Protection = (before, after) =>
  after === 'none' ? before !== 'none' : chosen(before, after);

/** A number that must not become lower. */
const atLeast: Protection = (before, after) => Number(after) < Number(before);

const toLimit = (value: string): number => (unset.has(value) ? Infinity : Number(value));

/** A limit that must not become higher, or disappear. */
const atMost: Protection = (before, after) => toLimit(after) > toLimit(before);

const split = (value: string): readonly string[] =>
  value.split(',').filter((one) => !unset.has(one));

/** A list that must not lose a word. */
const allOf: Protection = (before, after) => {
  const kept = new Set(split(after));
  return split(before).some((one) => !kept.has(one));
};

/** One of some values, the strictest first. */
const oneOf =
  (...values: readonly string[]): Protection =>
  (before, after) =>
    values.indexOf(after) > values.indexOf(before);

/** A value that must not change in any way. */
const unchanged: Protection = (before, after) => before !== after;

/** A value that must not change once it is there. */
const kept: Protection = (before, after) => !unset.has(before) && before !== after;

/** A setting that every deployment may change. */
const free: Protection = () => false;

const severity = oneOf('low', 'medium', 'high', 'critical', 'none');

/** A mirror that a deployment forgets is replaced by the public registry, which then sees the names of packages. */
const origins = Object.fromEntries(ecosystems.map((one) => [`${one}Url`, chosen])) as Record<
  `${Ecosystem}Url`,
  Protection
>;

/**
 * The protection of every setting. The deployment check finds what a deployment forgets or loosens: limits of what people and
 * packages may do, what watches the registry, and tables. Files of policies are reviewed in Git, so their text is not
 * compared. Settings of speed, price and thresholds of alarms are free.
 */
export const protections = {
  ...origins,
  environment: oneOf('production', 'development'),
  // Another stage has a stack of its own, and forgets what the file of this one says.
  stage: kept,
  stackName: free,
  loosen: free,
  alarmEmail: given,
  alarmTopicArn: given,
  tags: free,
  domainName: given,
  certificateArn: free,
  disableDefaultEndpoint: given,
  kmsKeyArn: given,
  vpcEndpointIds: given,
  tracing: free,
  dashboard: free,
  requestSurge: free,
  slowAnswerMs: free,
  refusalBurst: free,
  gatewayLogRole: free,
  // CloudWatch deletes the lines of the days that a shorter retention leaves out.
  logRetentionDays: atLeast,
  throttleRate: given,
  throttleBurst: free,
  maxReadUnits: given,
  submissionsPerDay: given,
  scansPerDay: given,
  requireTokens: given,
  oidcIssuer: given,
  oidcClientId: free,
  oidcAudience: given,
  oidcOrigins: free,
  identityRules: chosen,
  fourEyes: given,
  licensePolicy: chosen,
  reviewPolicy: chosen,
  imageRegistries: chosen,
  upstreamSecretArn: given,
  // A forgotten network has the functions ask by the public internet.
  subnetIds: given,
  securityGroupIds: free,
  proxyUrl: given,
  noProxy: free,
  caCertificates: given,
  requireApprovedLicense: given,
  blockingIssues: allOf,
  minimumAgeDays: atLeast,
  approvalDays: atMost,
  rotationDays: given,
  keptTokens: free,
  memoryMb: free,
  gateConcurrency: free,
  workerConcurrency: free,
  counterShards: free,
  webhookUrl: given,
  webhookSecretArn: free,
  backupVaultArn: given,
  backupHours: atMost,
  backupDays: atLeast,
  backupKeyArn: given,
  restoredTables: unchanged,
  restoredStreams: unchanged,
  osvScanning: given,
  osvUrl: chosen,
  osvTimeoutMs: free,
  collectFacts: given,
  originTimeoutMs: free,
  factsHours: free,
  followUpdates: free,
  updatesPerDay: free,
  gateRequests: free,
  signDecisions: given,
  trustedRootUrl: chosenOrNone,
  gateCacheSeconds: free,
  gateOrigins: free,
  // A forgotten pattern has the gate ask public origins for a name of the organisation.
  ownPackages: allOf,
  gateMavenPlugins: oneOf('approved', 'pass'),
  rescanHours: free,
  integrityDays: atMost,
  recall: allOf,
  recallMinutes: free,
  malwareFeedUrl: chosen,
  scanFailedFrom: severity,
  scanWarningFrom: severity,
  scanUnrated: oneOf('failed', 'warning', 'passed'),
} as const satisfies Readonly<Record<string, Protection>>;

type SettingName = keyof typeof protections;

/** The settings that the deployment check compares, by name. */
export const protectedSettings: readonly SettingName[] = (
  Object.keys(protections) as SettingName[]
).filter((name) => protections[name] !== free);

/** The settings whose default has a value of its own. */
export const chosenSettings: readonly SettingName[] = protectedSettings.filter(
  (name) => protections[name] === chosen || protections[name] === chosenOrNone,
);

/** The values of protected settings by their names, as texts. */
export type ProtectedValues = Readonly<Record<string, string>>;

/** A setting that a deployment makes looser. */
export interface LoosenedSetting {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the settings that are looser after a deployment than before it. A setting that one of both releases does not have
 * has nothing to be compared with.
 */
export const listLoosened = (before: ProtectedValues, after: ProtectedValues): LoosenedSetting[] =>
  protectedSettings.flatMap((name) => {
    const [earlier, later] = [before[name], after[name]];
    if (earlier === undefined || later === undefined) return [];
    return protections[name](earlier, later) ? [{ name, before: earlier, after: later }] : [];
  });
