import { Settings } from '../../infra/config.ts';

/** Settings that exclude another one below, or take resources out of the stack. */
const leftOut = ['vpcEndpointIds', 'restoredTables', 'restoredStreams'];

/** A value for every other setting, with everything switched on that adds resources to the stack. */
export const allSettings = {
  environment: 'production',
  stackName: 'Registry',
  alarmEmail: 'ops@example.com',
  alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:ops',
  tags: { team: 'platform' },
  domainName: 'registry.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0123-4567',
  tracing: true,
  dashboard: true,
  requestSurge: 7,
  slowAnswerMs: 1000,
  refusalBurst: 50,
  gatewayLogRole: true,
  logRetentionDays: 30,
  throttleRate: 50,
  throttleBurst: 100,
  maxReadUnits: 4000,
  submissionsPerDay: 500,
  scansPerDay: 2000,
  requireTokens: true,
  fourEyes: true,
  licensePolicy: 'infra/license-policy.json',
  reviewPolicy: 'infra/review-policy.example.json',
  requireApprovedLicense: true,
  blockingIssues: 'none',
  minimumAgeDays: 7,
  approvalDays: 90,
  rotationDays: 30,
  keptTokens: 2,
  memoryMb: 512,
  counterShards: 8,
  webhookUrl: 'https://hooks.example.com/registry',
  webhookSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:hook-AbCdEf',
  osvScanning: true,
  osvUrl: 'https://osv.example.com',
  osvTimeoutMs: 4000,
  collectFacts: true,
  npmUrl: 'https://mirror-1.example.com',
  pypiUrl: 'https://mirror-2.example.com',
  mavenUrl: 'https://mirror-3.example.com',
  dockerUrl: 'https://mirror-4.example.com',
  originTimeoutMs: 9000,
  factsHours: 24,
  trustedRootUrl: 'https://tuf.example.com',
  gateCacheSeconds: 30,
  gateOrigins: 'npm:https://files.example.com',
  ownPackages: 'npm:@acme/*,docker:registry.example.com/*',
  gateMavenPlugins: 'pass',
  rescanHours: 12,
  recall: 'malware',
  recallMinutes: 5,
  malwareFeedUrl: 'https://malware.example.com',
  scanFailedFrom: 'critical',
  scanWarningFrom: 'none',
  scanUnrated: 'passed',
} as const satisfies Partial<Record<keyof Settings, unknown>>;

/** Returns the settings that have no value here, and are not left out on purpose. */
export const listMissingSettings = (): string[] =>
  Object.keys(Settings.in.shape).filter(
    (name) => !Object.hasOwn(allSettings, name) && !leftOut.includes(name),
  );
