import { describe, expect, it } from 'vitest';
import { parseSettings, Settings } from '../../../infra/config.ts';
import { listProtectedValues } from '../../../infra/protected-values.ts';
import example from '../../../infra/settings/example.json' with { type: 'json' };
import {
  listLoosened,
  protectedSettings,
  protections,
} from '../../../shared/domain/deployment/protections.ts';

type Given = Readonly<Record<string, unknown>>;

const topic = 'arn:aws:sns:eu-west-1:123456789012:ops';
const stream = 'arn:aws:dynamodb:eu-west-1:123456789012:table/packages-2/stream/x';
const secretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:hook-AbCdEf';
const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0123';
const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef';
const backupVaultArn = 'arn:aws:backup:eu-central-1:123456789012:backup-vault:registry';
const backupKeyArn = kmsKeyArn.replace('eu-west-1', 'eu-central-1');
const domain = { domainName: 'registry.example.com', certificateArn };
const subnets = {
  subnetIds: 'subnet-0123456789abcdef0',
  securityGroupIds: 'sg-0123456789abcdef0',
};
const restored = {
  restoredTables: { packages: 'packages-2' },
  restoredStreams: { packages: stream },
};
const mirror = 'https://mirror.example.com';
const oidc = { oidcIssuer: 'https://id.example.com', oidcClientId: 'x' };

/** Each setting before and after a deployment that loosens it alone. */
const loosenings: Readonly<Record<string, readonly [before: Given, after: Given]>> = {
  stage: [{ stage: 'example' }, example],
  environment: [{}, { environment: 'development' }],
  alarmEmail: [{ alarmEmail: 'ops@example.com' }, {}],
  alarmTopicArn: [{ alarmTopicArn: topic }, {}],
  domainName: [domain, {}],
  vpcEndpointIds: [{ vpcEndpointIds: 'vpce-11111111' }, {}],
  logRetentionDays: [{ logRetentionDays: 365 }, {}],
  throttleRate: [{ throttleRate: 50, throttleBurst: 100 }, {}],
  maxReadUnits: [{ maxReadUnits: 4000 }, {}],
  submissionsPerDay: [{ submissionsPerDay: 100 }, { submissionsPerDay: 0 }],
  scansPerDay: [{ scansPerDay: 100 }, {}],
  requireTokens: [{ requireTokens: true }, {}],
  oidcIssuer: [{ ...oidc, requireTokens: true }, { requireTokens: true }],
  oidcAudience: [{ oidcAudience: 'x', requireTokens: true }, { requireTokens: true }],
  identityRules: [{ identityRules: 'infra/identity.example.json' }, {}],
  fourEyes: [
    { requireTokens: true, fourEyes: true },
    { requireTokens: true, fourEyes: 'false' },
  ],
  licensePolicy: [{ licensePolicy: 'infra/strict-licenses.json' }, {}],
  reviewPolicy: [{ reviewPolicy: 'infra/review-policy.example.json' }, {}],
  imageRegistries: [{ imageRegistries: 'infra/our-registries.json' }, {}],
  upstreamSecretArn: [{ upstreamSecretArn: secretArn }, {}],
  disableDefaultEndpoint: [{ ...domain, disableDefaultEndpoint: true }, domain],
  kmsKeyArn: [{ kmsKeyArn }, {}],
  subnetIds: [subnets, {}],
  proxyUrl: [{ proxyUrl: 'http://proxy.example.com:3128' }, {}],
  caCertificates: [{ caCertificates: 'test/infra/fixtures/authority.pem' }, {}],
  backupVaultArn: [{ backupVaultArn }, {}],
  backupHours: [
    { backupVaultArn, backupHours: 4 },
    { backupVaultArn, backupHours: 8 },
  ],
  backupDays: [{ backupVaultArn, backupDays: 30 }, { backupVaultArn }],
  backupKeyArn: [{ backupVaultArn, backupKeyArn }, { backupVaultArn }],
  requireApprovedLicense: [{ requireApprovedLicense: true }, {}],
  blockingIssues: [{}, { blockingIssues: 'scan_failed' }],
  minimumAgeDays: [{ minimumAgeDays: 14 }, { minimumAgeDays: 7 }],
  approvalDays: [{ approvalDays: 90 }, { approvalDays: 180 }],
  rotationDays: [{ rotationDays: 30 }, {}],
  webhookUrl: [{ webhookUrl: 'https://hooks.example.com', webhookSecretArn: secretArn }, {}],
  restoredTables: [{ restoredTables: { licenses: 'licenses-2' } }, {}],
  restoredStreams: [
    { ...restored, osvScanning: false, collectFacts: false },
    { restoredTables: restored.restoredTables, osvScanning: false, collectFacts: false },
  ],
  osvScanning: [{}, { osvScanning: false }],
  osvUrl: [{ osvUrl: mirror }, {}],
  collectFacts: [{}, { collectFacts: false }],
  npmUrl: [{ npmUrl: mirror }, {}],
  pypiUrl: [{ pypiUrl: mirror }, {}],
  mavenUrl: [{ mavenUrl: mirror }, {}],
  dockerUrl: [{ dockerUrl: mirror }, {}],
  signDecisions: [{ signDecisions: true }, {}],
  trustedRootUrl: [{}, { trustedRootUrl: 'none' }],
  ownPackages: [{ ownPackages: 'npm:@acme/*,npm:acme-*' }, { ownPackages: 'npm:@acme/*' }],
  gateMavenPlugins: [{}, { gateMavenPlugins: 'pass' }],
  integrityDays: [{}, { integrityDays: 0 }],
  recall: [{}, { recall: 'malware' }],
  malwareFeedUrl: [{ malwareFeedUrl: mirror }, {}],
  scanFailedFrom: [{}, { scanFailedFrom: 'critical' }],
  scanWarningFrom: [{}, { scanWarningFrom: 'none' }],
  scanUnrated: [{}, { scanUnrated: 'passed' }],
};

const valuesOf = (given: Given) => listProtectedValues(parseSettings(given));

const compare = (before: Given, after: Given): string[] =>
  listLoosened(valuesOf(before), valuesOf(after)).map(({ name }) => name);

/** Settings for which the other direction is no improvement either: their tables are others. */
const neverFree = ['restoredTables', 'restoredStreams'];

describe('the protections of settings', () => {
  it('has a decision for each setting, and a case below for each protected one', () => {
    expect(Object.keys(protections).sort()).toEqual(Object.keys(Settings.in.shape).sort());
    expect(Object.keys(loosenings).sort()).toEqual([...protectedSettings].sort());
  });

  it.each(Object.entries(loosenings))('finds that %s is loosened', (name, [before, after]) => {
    expect(compare(before, after)).toEqual([name]);
    expect(compare(before, before)).toEqual([]);
  });

  it.each(Object.entries(loosenings).filter(([name]) => !neverFree.includes(name)))(
    'accepts that %s is tightened',
    (_, [before, after]) => {
      expect(compare(after, before)).toEqual([]);
    },
  );

  it.each([
    ['a longer list', { blockingIssues: 'yanked' }, { blockingIssues: 'deprecated,yanked' }],
    ['a first expiry', {}, { approvalDays: 365 }],
    ['another recipient', { alarmEmail: 'a@example.com' }, { alarmEmail: 'b@example.com' }],
    ['another quota', { scansPerDay: 100 }, { scansPerDay: 500 }],
    ['another preset', { reviewPolicy: 'strict' }, { reviewPolicy: 'balanced@2' }],
    ['the order of an object', { tags: { a: '1', b: '2' } }, { tags: { b: '2', a: '1' } }],
    ['a setting that protects nothing', { dashboard: true }, { dashboard: false }],
    ['the name of what is loosened', { loosen: 'fourEyes' }, {}],
  ])('accepts %s', (_, before, after) => {
    expect(compare(before, after)).toEqual([]);
  });

  it('finds no end to an expiry, restored tables of other names, and tables that were not restored', () => {
    const other = { restoredTables: { licenses: 'licenses-3' } };

    expect(compare({ approvalDays: 90 }, {})).toEqual(['approvalDays']);
    expect(compare({}, other)).toEqual(['restoredTables']);
    expect(compare({ restoredTables: { licenses: 'licenses-2' } }, other)).toEqual([
      'restoredTables',
    ]);
  });

  it('finds a trusted root that returns to the public one', () => {
    const own = { trustedRootUrl: mirror };

    expect(compare(own, {})).toEqual(['trustedRootUrl']);
    expect(compare(own, { trustedRootUrl: 'none' })).toEqual(['trustedRootUrl']);
    expect(compare({ trustedRootUrl: 'none' }, {})).toEqual([]);
  });

  it('finds a list in which another word takes the place of one', () => {
    const other = { blockingIssues: 'scan_failed,too_young' };

    expect(compare({}, other)).toEqual(['blockingIssues']);
  });

  it('finds all that a forgotten preset loosens', () => {
    expect(compare({ reviewPolicy: 'balanced@2' }, {})).toEqual([
      'reviewPolicy',
      'blockingIssues',
      'minimumAgeDays',
    ]);
  });

  it('compares nothing with a setting of another release', () => {
    expect(listLoosened({ fourEyes: 'true', former: '1' }, { former: '0' })).toEqual([]);
    expect(listLoosened({}, { fourEyes: 'false' })).toEqual([]);
  });
});
