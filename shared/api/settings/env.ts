import { type FileRules, parseFilePlaces } from '../../domain/packages/file-places.ts';
import { type OwnPackages, parseOwnPackages } from '../../domain/packages/own-packages.ts';
import type { Reach } from '../../domain/packages/reach.ts';
import type { OriginHosts } from '../../domain/packages/source-hosts.ts';
import type { OwnInquiries } from '../../domain/policy/readiness.ts';
import type { RecallSource } from '../../domain/recalls/recall.ts';
import type { IssueCode } from '../../domain/review/approval.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import {
  byEcosystem,
  type Ecosystem,
  ecosystems,
  type FileEcosystem,
  fileEcosystems,
} from '../../ecosystems/ecosystem.ts';
import { hasUnnamedFileHosts } from '../../ecosystems/rules.ts';
import { toOriginSetting } from '../origin-setting.ts';
import {
  type QueueId,
  queues,
  settingVariables,
  signingKeyEnv,
  type TableId,
  tables,
  tokensEnv,
  upstreamSecretEnv,
} from '../resources.ts';

/**
 * Returns the value of an environment variable that the stack sets.
 * @throws {Error} if the variable is missing: the stack does not pass a setting that the code uses
 */
const readVariable = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
};

/** Returns the items of a comma-separated variable. The value `none` means an empty list. */
const readList = (name: string): string[] => {
  const value = readVariable(name);
  return value === 'none' ? [] : value.split(',');
};

/** Returns the name of a table in this deployment. */
export const readTableName = (id: TableId): string => readVariable(tables[id].env);

/** Returns the name of a table in this deployment; undefined if the function has no access to it. */
export const findTableName = (id: TableId): string | undefined => process.env[tables[id].env];

/** Returns the URL of a queue in this deployment. */
export const readQueueUrl = (id: QueueId): string => readVariable(queues[id].env);

/** Returns the folder of the function's code, which Lambda sets. */
export const readCodeFolder = (): string => readVariable('LAMBDA_TASK_ROOT');

/** Returns the ARN of the secret with the accepted tokens. */
export const readTokensSecretArn = (): string => readVariable(tokensEnv);

/** Returns the ARN of the key that signs decisions. */
export const readSigningKeyArn = (): string => readVariable(signingKeyEnv);

/** Returns the ARN of the secret with the accounts at upstream services; undefined without a secret. */
export const findUpstreamSecretArn = (): string | undefined => process.env[upstreamSecretEnv];

/** True if each approval and rejection is signed. */
export const isSigning = (): boolean => readVariable(settingVariables.signDecisions) === 'true';

/** True if an empty token list rejects protected requests instead of allowing all of them. */
export const areTokensRequired = (): boolean =>
  readVariable(settingVariables.requireTokens) === 'true';

/** Returns the origins to which the console sends requests for a sign-in. */
export const readOidcOrigins = (): readonly string[] => readList(settingVariables.oidcOrigins);

/** True if submitters cannot approve their own versions. Submitters and deciders then need tokens with labels. */
export const isFourEyed = (): boolean => readVariable(settingVariables.fourEyes) === 'true';

/** Returns the organisation's rules for submissions. */
export const readSubmissionRules = () => ({
  fourEyes: isFourEyed(),
  submissionsPerDay: Number(readVariable(settingVariables.submissionsPerDay)),
  own: readOwnPackages(),
});

/** Returns the largest step of the updates that the registry submits itself; undefined if it submits none. */
export const readFollowedReach = (): Reach | undefined => {
  const value = readVariable(settingVariables.followUpdates);
  return value === 'none' ? undefined : (value as Reach);
};

/** Returns how many updates the registry submits in a day. */
export const readUpdatesPerDay = (): number => Number(readVariable(settingVariables.updatesPerDay));

/** True if an install through the gate with a token submits what the registry does not have. */
export const isTakingGateRequests = (): boolean =>
  readVariable(settingVariables.gateRequests) === 'true';

/** Returns the minimum age of a version in days; 0 for none. */
export const readMinimumAgeDays = (): number =>
  Number(readVariable(settingVariables.minimumAgeDays));

/** Returns how many scans the tokens of a label may send in a day; 0 means no limit. */
export const readScansPerDay = (): number => Number(readVariable(settingVariables.scansPerDay));

/** Returns the number of shards of each counter in the catalogue. */
export const readCounterShards = (): number => Number(readVariable(settingVariables.counterShards));

/** Returns the number of earlier tokens that stay valid after a rotation. */
export const readKeptTokens = (): number => Number(readVariable(settingVariables.keptTokens));

/** Returns the days after which an approval without its own expiry date expires; 0 means never. */
export const readApprovalDays = (): number => Number(readVariable(settingVariables.approvalDays));

/** Returns the organisation's rules for approvals. The stack has validated the settings. */
export const readApprovalRules = (): {
  blockingIssues: IssueCode[];
  requireApprovedLicense: boolean;
  minimumAgeDays: number;
  scanPolicy: ScanPolicy;
} => ({
  blockingIssues: readList(settingVariables.blockingIssues) as IssueCode[],
  requireApprovedLicense: readVariable(settingVariables.requireApprovedLicense) === 'true',
  minimumAgeDays: readMinimumAgeDays(),
  scanPolicy: readScanPolicy(),
});

/** Returns the rules for decisions: those for approvals, four eyes, and the default lifetime of an approval in days. */
export const readDecisionRules = () => ({
  ...readApprovalRules(),
  fourEyes: isFourEyed(),
  approvalDays: readApprovalDays(),
});

/** Returns the URL of OSV.dev, and the timeout of one request in milliseconds. */
export const readOsvSettings = (): { url: string; timeoutMs: number } => ({
  url: readVariable(settingVariables.osvUrl),
  timeoutMs: Number(readVariable(settingVariables.osvTimeoutMs)),
});

/** Returns the URL of the malware feed, and the timeout of one request in milliseconds. */
export const readMalwareFeedSettings = (): { url: string; timeoutMs: number } => ({
  url: readVariable(settingVariables.malwareFeedUrl),
  timeoutMs: Number(readVariable(settingVariables.osvTimeoutMs)),
});

/** Returns the signals that recall approved versions. The stack has validated them. */
const readRecallSources = (): readonly RecallSource[] =>
  readList(settingVariables.recall) as RecallSource[];

/** True if the malware feed recalls approved versions. */
export const isReadingMalwareFeed = (): boolean => readRecallSources().includes('malware');

/** True if young approved versions are watched for a removal upstream. */
export const isWatchingRemovals = (): boolean => readRecallSources().includes('removed');

/** Returns the ecosystems in which a removal upstream recalls an approved version. */
export const readRemovalRecalls = (): readonly Ecosystem[] =>
  readList(settingVariables.removalRecalls) as Ecosystem[];

/** Returns the thresholds for scan verdicts. The stack has validated the settings. */
export const readScanPolicy = (): ScanPolicy => ({
  failedFrom: readVariable(settingVariables.scanFailedFrom) as ScanPolicy['failedFrom'],
  warningFrom: readVariable(settingVariables.scanWarningFrom) as ScanPolicy['warningFrom'],
  unrated: readVariable(settingVariables.scanUnrated) as ScanPolicy['unrated'],
});

/** Returns the URL of an ecosystem's origin. */
const readOriginAddress = (ecosystem: Ecosystem): string =>
  readVariable(settingVariables[toOriginSetting(ecosystem)]);

/**
 * Returns the hosts of packages in lockfiles: the hosts of the origins and of `gateOrigins`. PyPI names its file hosts
 * only in its own pages, so without `gateOrigins` its file hosts are null.
 */
export const readOriginHosts = (): Readonly<Record<FileEcosystem, OriginHosts>> => {
  const toHosts = (ecosystem: Ecosystem): OriginHosts => {
    const { origin, isSpread, places } = readFileRules(ecosystem);
    const index_hosts = [new URL(origin).host];
    const named = places.flatMap(({ from, to }) => [new URL(from).host, new URL(to).host]);
    const isUnknown = isSpread && places.length === 0;
    return { index_hosts, file_hosts: isUnknown ? null : [...new Set([...index_hosts, ...named])] };
  };
  return byEcosystem(fileEcosystems, toHosts);
};

/** Returns the seconds for which package managers may cache responses of the gate. */
export const readGateCacheSeconds = (): number =>
  Number(readVariable(settingVariables.gateCacheSeconds));

/** Returns the allowed locations of an ecosystem's files. The stack has validated the settings. */
export const readFileRules = (ecosystem: Ecosystem): FileRules => ({
  origin: readOriginAddress(ecosystem),
  isSpread: hasUnnamedFileHosts[ecosystem],
  places: (parseFilePlaces(readVariable(settingVariables.gateOrigins)) ?? []).filter(
    (place) => place.ecosystem === ecosystem,
  ),
});

/** Returns the names of the organisation's own packages. The stack has validated the settings. */
export const readOwnPackages = (): readonly OwnPackages[] =>
  parseOwnPackages(readVariable(settingVariables.ownPackages)) ?? [];

/** Returns what the gate needs to know of an ecosystem: locations of files, own packages, and automatic checks. */
export const readGateSettings = (ecosystem: Ecosystem) => ({
  files: readFileRules(ecosystem),
  own: readOwnPackages(),
  inquiries: readOwnInquiries(),
});

/** True if the gate serves all Maven plugins, approved or not. */
export const doPluginsPass = (): boolean =>
  readVariable(settingVariables.gateMavenPlugins) === 'pass';

/** Returns the URLs of the origins, and the timeout of one request in milliseconds. */
export const readOriginSettings = (): {
  addresses: Readonly<Record<Ecosystem, string>>;
  timeoutMs: number;
} => ({
  addresses: byEcosystem(ecosystems, readOriginAddress),
  timeoutMs: Number(readVariable(settingVariables.originTimeoutMs)),
});

/** Returns the URL of the TUF repository with the trusted root of Sigstore, without a slash at its end. */
export const readTrustedRootUrl = (): string =>
  readVariable(settingVariables.trustedRootUrl).replace(/\/$/, '');

/** Returns the interval in hours at which the upstream metadata of a version is refreshed. */
export const readFactsHours = (): number => Number(readVariable(settingVariables.factsHours));

/** True if the registry scans versions with OSV.dev automatically. */
export const isScanning = (): boolean => readVariable(settingVariables.osvScanning) === 'true';

/** True if workers collect upstream metadata of versions. */
export const isCollectingFacts = (): boolean =>
  readVariable(settingVariables.collectFacts) === 'true';

/** Returns the automatic checks that the settings enable. */
export const readOwnInquiries = (): OwnInquiries => ({
  isScanning: isScanning(),
  isCollectingFacts: isCollectingFacts(),
});

/** Returns the interval in days at which the scheduled integrity check begins. */
export const readIntegrityDays = (): number => Number(readVariable(settingVariables.integrityDays));

/** Returns the interval in hours at which all approved versions are rescanned. */
export const readRescanHours = (): number => Number(readVariable(settingVariables.rescanHours));
