import { readStack } from '@package-registry/local-aws';
import type { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { parseSettings, type Settings } from '../../../infra/config.ts';
import { checkSettings, goWithout, listLeftOut } from '../../../infra/local/synthesis.ts';
import { makeStack } from '../../support/stack-template.ts';

/** Settings that name resources of an AWS account. */
const inAwsAlone = [
  'restoredTables',
  'restoredStreams',
  'vpcEndpointIds',
  'subnetIds',
  'securityGroupIds',
  'proxyUrl',
  'noProxy',
  'caCertificates',
  'upstreamSecretArn',
  'kmsKeyArn',
] as const;

/** A value that follows from other settings. */
type Derived = 'removalRecalls';

/** A value other than the default for each setting. */
const given: Readonly<
  Record<Exclude<keyof Settings, (typeof inAwsAlone)[number] | Derived>, string>
> = {
  environment: 'production',
  stage: 'example',
  stackName: 'Other',
  alarmEmail: 'ops@example.com',
  alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
  tags: '{"team":"platform"}',
  domainName: 'registry.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0123',
  disableDefaultEndpoint: 'true',
  tracing: 'true',
  dashboard: 'false',
  requestSurge: '7',
  slowAnswerMs: '7',
  refusalBurst: '7',
  gatewayLogRole: 'false',
  logRetentionDays: '7',
  throttleRate: '7',
  throttleBurst: '7',
  maxReadUnits: '2000',
  submissionsPerDay: '7',
  scansPerDay: '7',
  requireTokens: 'true',
  fourEyes: 'true',
  oidcIssuer: 'https://id.example.com',
  oidcClientId: 'registry',
  oidcAudience: 'https://registry.example.com',
  oidcOrigins: 'https://id.example.com',
  identityRules: 'infra/identity.example.json',
  licensePolicy: 'test/infra/../../infra/license-policy.json',
  reviewPolicy: 'infra/review-policy.example.json',
  imageRegistries: 'test/infra/../../infra/image-registries.json',
  requireApprovedLicense: 'true',
  blockingIssues: 'deprecated',
  minimumAgeDays: '7',
  approvalDays: '7',
  rotationDays: '7',
  keptTokens: '2',
  memoryMb: '512',
  gateConcurrency: '7',
  workerConcurrency: '7',
  counterShards: '2',
  webhookUrl: 'https://hooks.example.com/registry',
  webhookSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:hook-AbCdEf',
  backupVaultArn: 'arn:aws:backup:eu-central-1:123456789012:backup-vault:copies',
  backupHours: '24',
  backupDays: '30',
  backupKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/98765432-10fe-dcba-9876-543210fedcba',
  osvScanning: 'false',
  osvUrl: 'https://osv.example.com',
  osvTimeoutMs: '7',
  collectFacts: 'false',
  npmUrl: 'https://mirror.example.com/a',
  pypiUrl: 'https://mirror.example.com/b',
  mavenUrl: 'https://mirror.example.com/c',
  dockerUrl: 'https://mirror.example.com/d',
  originTimeoutMs: '7',
  factsHours: '7',
  trustedRootUrl: 'https://tuf.example.com',
  followUpdates: 'patch',
  updatesPerDay: '7',
  gateRequests: 'true',
  signDecisions: 'true',
  gateCacheSeconds: '7',
  gateOrigins: 'npm:https://files.example.com/',
  ownPackages: 'npm:@acme/*',
  gateMavenPlugins: 'pass',
  rescanHours: '7',
  integrityDays: '1',
  recall: 'none',
  recallMinutes: '7',
  malwareFeedUrl: 'https://osv.example.com/feed',
  scanFailedFrom: 'critical',
  scanWarningFrom: 'none',
  scanUnrated: 'failed',
  loosen: 'fourEyes',
};

describe('npm start -- -c KEY=VALUE', () => {
  it('runs the stack with every setting of a deployment', () => {
    const defaults = parseSettings({ environment: 'development' });
    const same = Object.entries(given).filter(([name, value]) =>
      Object.entries(defaults).some((one) => one[0] === name && String(one[1]) === value),
    );

    expect(same).toEqual([]);
    // Updates need upstream metadata, so that no stack has every value at once.
    for (const other of [{ collectFacts: 'true' }, { followUpdates: 'none' }]) {
      const { directory } = (makeStack({ ...given, ...other }).node.root as App).synth();
      expect(() => readStack(directory, { goWithout })).not.toThrow();
    }
  });

  it('ignores settings that name AWS resources, and says so', () => {
    const settings = Object.fromEntries(inAwsAlone.map((name) => [name, 'anything']));

    expect(() => checkSettings(settings)).not.toThrow();
    expect(listLeftOut({ ...settings, fourEyes: 'true' })).toEqual(inAwsAlone);
  });

  it('accepts the settings of a stage', () => {
    const restored = { stage: 'example', restoredTables: '{"packages":"packages-restored"}' };

    expect(() => checkSettings({ stage: 'example' })).not.toThrow();
    expect(() => checkSettings(restored)).not.toThrow();
    expect(listLeftOut(restored)).toEqual(['restoredTables']);
    expect(() => checkSettings({ stage: 'nowhere' })).toThrow(
      /^Wrong setting: stage must be the name of a file in infra\/settings/,
    );
  });

  it.each([
    [{ fourEyes: 'true' }, 'Wrong setting: requireTokens is required'],
    [
      { followUpdates: 'minor', collectFacts: 'false' },
      'Wrong setting: collectFacts is required: followUpdates finds newer versions',
    ],
    [{ nothing: '1' }, 'Wrong setting: nothing is unknown'],
    [{ minimumAgeDays: 'x', memoryMb: 'y' }, /^Wrong setting: .*\nWrong setting: .*$/],
  ])('rejects %j before the synthesis', (settings: Record<string, string>, message) => {
    expect(() => checkSettings(settings)).toThrow(message);
  });
});
