import { type FileRules, parseFilePlaces } from '../../domain/packages/file-places.ts';
import type { OriginHosts } from '../../domain/packages/source-hosts.ts';
import type { ObjectionCode } from '../../domain/review/approval.ts';
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
  type TableId,
  tables,
  tokensEnv,
} from '../resources.ts';

/** Reads a variable that the stack sets. A missing variable means that the stack did not bind what the code uses. */
const readVariable = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
};

/** What the stack sets to a list, with commas between; `none` where there is nothing in it. */
const readList = (name: string): string[] => {
  const value = readVariable(name);
  return value === 'none' ? [] : value.split(',');
};

/** The name of a table in this deployment. */
export const readTableName = (id: TableId): string => readVariable(tables[id].env);

/** The address of a queue in this deployment. */
export const readQueueUrl = (id: QueueId): string => readVariable(queues[id].env);

/** The ARN of the secret that holds the accepted tokens. */
export const readTokensSecretArn = (): string => readVariable(tokensEnv);

/** Whether an empty token list refuses protected requests instead of letting them all in. */
export const areTokensRequired = (): boolean =>
  readVariable(settingVariables.requireTokens) === 'true';

/** Whether nobody approves what they submitted, and everybody who decides has a token with a label. */
export const isFourEyed = (): boolean => readVariable(settingVariables.fourEyes) === 'true';

/** What the organisation demands of submissions. */
export const readSubmissionRules = () => ({
  fourEyes: isFourEyed(),
  submissionsPerDay: Number(readVariable(settingVariables.submissionsPerDay)),
});

/** How many scans the tokens of a label may send in a day; 0: as many as they like. */
export const readScansPerDay = (): number => Number(readVariable(settingVariables.scansPerDay));

/** Over how many shards each of the catalogue's counters is spread. */
export const readCounterShards = (): number => Number(readVariable(settingVariables.counterShards));

/** How many earlier tokens a rotation leaves valid. */
export const readKeptTokens = (): number => Number(readVariable(settingVariables.keptTokens));

/** For how many days an approval holds that says nothing of it; 0 for ever. */
export const readApprovalDays = (): number => Number(readVariable(settingVariables.approvalDays));

/** What the organisation demands of approvals. The stack checks what is set. */
export const readApprovalRules = (): {
  blockingObjections: ObjectionCode[];
  requireApprovedLicense: boolean;
  minimumAgeDays: number;
  scanPolicy: ScanPolicy;
} => ({
  blockingObjections: readList(settingVariables.blockingObjections) as ObjectionCode[],
  requireApprovedLicense: readVariable(settingVariables.requireApprovedLicense) === 'true',
  minimumAgeDays: Number(readVariable(settingVariables.minimumAgeDays)),
  scanPolicy: readScanPolicy(),
});

/** The same, and what it demands of whoever decides. */
export const readDecisionRules = () => ({
  ...readApprovalRules(),
  fourEyes: isFourEyed(),
  approvalDays: readApprovalDays(),
});

/** Where and how OSV.dev is asked. */
export const readOsvSettings = (): { url: string; timeoutMs: number } => ({
  url: readVariable(settingVariables.osvUrl),
  timeoutMs: Number(readVariable(settingVariables.osvTimeoutMs)),
});

/** What vulnerabilities make of a scan. The stack checks what is set. */
export const readScanPolicy = (): ScanPolicy => ({
  failedFrom: readVariable(settingVariables.scanFailedFrom) as ScanPolicy['failedFrom'],
  warningFrom: readVariable(settingVariables.scanWarningFrom) as ScanPolicy['warningFrom'],
  unrated: readVariable(settingVariables.scanUnrated) as ScanPolicy['unrated'],
});

/** Where the origin of an ecosystem is. */
const readOriginAddress = (ecosystem: Ecosystem): string =>
  readVariable(settingVariables[toOriginSetting(ecosystem)]);

/**
 * The hosts that the packages of lockfiles come from: those of the origins, and of the file places of the settings. PyPI
 * names hosts of files in its own pages alone.
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

/** For how many seconds package managers may keep what the gates answer. */
export const readGateCacheSeconds = (): number =>
  Number(readVariable(settingVariables.gateCacheSeconds));

/** Where package managers get the files of an ecosystem. The stack checks what is set. */
export const readFileRules = (ecosystem: Ecosystem): FileRules => ({
  origin: readOriginAddress(ecosystem),
  isSpread: hasUnnamedFileHosts[ecosystem],
  places: (parseFilePlaces(readVariable(settingVariables.gateOrigins)) ?? []).filter(
    (place) => place.ecosystem === ecosystem,
  ),
});

/** Whether the gate passes what builds with Maven ask for as their plugins, approved or not. */
export const doPluginsPass = (): boolean =>
  readVariable(settingVariables.gateMavenPlugins) === 'pass';

/** Where and how origins are asked. */
export const readOriginSettings = (): {
  addresses: Readonly<Record<Ecosystem, string>>;
  timeoutMs: number;
} => ({
  addresses: byEcosystem(ecosystems, readOriginAddress),
  timeoutMs: Number(readVariable(settingVariables.originTimeoutMs)),
});

/** Every how many hours an origin is asked again about a version that it has. */
export const readFactsHours = (): number => Number(readVariable(settingVariables.factsHours));

/** Whether the registry scans versions by itself. */
export const isScanning = (): boolean => readVariable(settingVariables.osvScanning) === 'true';

/** Whether origins are asked what they say of versions. */
export const isCollectingFacts = (): boolean =>
  readVariable(settingVariables.collectFacts) === 'true';

/** Every how many hours all approved versions are scanned again. */
export const readRescanHours = (): number => Number(readVariable(settingVariables.rescanHours));
