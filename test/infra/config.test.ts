import { describe, expect, it } from 'vitest';
import { parseSettings, Settings } from '../../infra/config.ts';
import { originAddresses } from '../../infra/origin-addresses.ts';
import { SettingsError } from '../../infra/settings-error.ts';

const streamOf = (table: string): string =>
  `arn:aws:dynamodb:eu-west-1:123456789012:table/${table}/stream/2026-01-31T12:00:00.000`;

const hook = 'https://hooks.example.com/registry?team=a@b';
const secret = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:team/hook-AbCdEf';

const everySetting = Object.keys(Settings.in.shape);

describe('parseSettings', () => {
  it.each(['balanced@1', 'strict', 'observe@1'])(
    'blocks versions younger than 7 days with the preset %s, unless a setting says otherwise',
    (reviewPolicy) => {
      const blockingIssues = 'scan_failed,license_rejected,too_young';
      const given = { minimumAgeDays: 0, blockingIssues: 'none' };

      expect(parseSettings({ reviewPolicy })).toMatchObject({ minimumAgeDays: 7, blockingIssues });
      expect(parseSettings({ reviewPolicy, ...given })).toMatchObject(given);
    },
  );

  it.each(everySetting)('reports an invalid %s with its own message', (name) => {
    for (const value of [null, [], [7], {}, { packages: 7 }, { x: 'y' }, '', 'a b', -1, 1.5]) {
      try {
        parseSettings({ [name]: value });
      } catch (error) {
        expect(error).toBeInstanceOf(SettingsError);
        expect(String(error)).toMatch(/ (?:must|is for|is required)/);
        expect(String(error)).not.toMatch(/Invalid|expected|Too |received|Unrecognized/);
      }
    }
  });

  it('accepts OSV.dev without TLS in development', () => {
    const settings = { environment: 'development', osvUrl: 'http://osv.example' };

    expect(parseSettings(settings)).toMatchObject(settings);
  });

  it.each([
    [{}, 'npm,pypi,maven'],
    [{ npmUrl: 'https://mirror.example.com' }, 'pypi,maven'],
    [{ npmUrl: 'https://mirror.example.com', recall: 'malware,removed' }, 'npm,pypi,maven'],
    [{ recall: 'malware' }, 'none'],
    [{ recall: 'none' }, 'none'],
  ])(
    'recalls removed versions of public registries, and of mirrors on request: %j',
    (given, expected) => {
      expect(parseSettings(given).removalRecalls).toBe(expected);
    },
  );

  it('accepts a webhook with its secret', () => {
    const settings = { webhookUrl: hook, webhookSecretArn: secret };

    expect(parseSettings(settings)).toMatchObject(settings);
  });

  it('has safe defaults for production', () => {
    expect(
      parseSettings({
        '@aws-cdk/core:flag': true,
        'aws:cdk:x': 1,
        'acknowledged-issue-numbers': [38113],
        'cli-telemetry': false,
      }),
    ).toEqual({
      backupHours: 1,
      backupDays: 7,
      environment: 'production',
      stackName: 'PackageRegistry',
      approvalDays: 0,
      blockingIssues: 'scan_failed,license_rejected',
      minimumAgeDays: 0,
      collectFacts: true,
      npmUrl: originAddresses().npm,
      pypiUrl: originAddresses().pypi,
      mavenUrl: originAddresses().maven,
      dockerUrl: originAddresses().docker,
      originTimeoutMs: 10_000,
      factsHours: 168,
      gateCacheSeconds: 60,
      gateOrigins: 'none',
      ownPackages: 'none',
      gateMavenPlugins: 'approved',
      slowAnswerMs: 3000,
      refusalBurst: 100,
      requestSurge: 30_000,
      dashboard: true,
      tracing: false,
      tags: {},
      vpcEndpointIds: [],
      subnetIds: [],
      securityGroupIds: [],
      disableDefaultEndpoint: false,
      gatewayLogRole: true,
      keptTokens: 1,
      licensePolicy: 'infra/license-policy.json',
      logRetentionDays: 90,
      osvScanning: true,
      osvTimeoutMs: 5000,
      osvUrl: 'https://api.osv.dev',
      rescanHours: 24,
      integrityDays: 7,
      recall: 'malware,removed',
      removalRecalls: 'npm,pypi,maven',
      recallMinutes: 2,
      malwareFeedUrl: 'https://osv-vulnerabilities.storage.googleapis.com',
      trustedRootUrl: 'https://tuf-repo-cdn.sigstore.dev',
      followUpdates: 'none',
      updatesPerDay: 1000,
      gateRequests: false,
      signDecisions: false,
      scanFailedFrom: 'high',
      scanWarningFrom: 'low',
      scanUnrated: 'warning',
      reviewPolicy: 'infra/review-policy.json',
      imageRegistries: 'infra/image-registries.json',
      requireApprovedLicense: false,
      requireTokens: false,
      fourEyes: false,
      oidcOrigins: 'none',
      identityRules: 'infra/identity.json',
      memoryMb: 1024,
      submissionsPerDay: 0,
      scansPerDay: 0,
      counterShards: 4,
      restoredStreams: {},
      restoredTables: {},
      loosen: 'none',
    });
  });

  it('parses values that the command line passes as text', () => {
    const settings = parseSettings({
      environment: 'development',
      alarmEmail: 'ops@example.com',
      logRetentionDays: '30',
      requireTokens: 'true',
      throttleRate: '50',
      throttleBurst: '100',
      osvScanning: 'false',
      collectFacts: 'false',
      blockingIssues: 'too_young, yanked',
      npmUrl: 'https://mirror.example/repository/npm/',
      restoredTables: '{"packages":"packages-restored"}',
    });

    expect(settings).toMatchObject({
      environment: 'development',
      logRetentionDays: 30,
      requireTokens: true,
      throttleRate: 50,
      throttleBurst: 100,
      blockingIssues: 'too_young,yanked',
      npmUrl: 'https://mirror.example/repository/npm/',
      restoredTables: { packages: 'packages-restored' },
    });
  });

  it.each([
    { oidcIssuer: 'https://id.example.com', oidcClientId: 'registry', fourEyes: true },
    { oidcAudience: 'registry', fourEyes: true },
  ])('requires tokens where accounts or jobs have access: %o', (context) => {
    expect(parseSettings(context).requireTokens).toBe(true);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an unknown setting', { alarmEmial: 'x' }, /^alarmEmial is unknown; there are environment, /],
    [
      'a name without its certificate',
      { domainName: 'registry.example.com' },
      /^certificateArn is required: domainName and certificateArn go together$/,
    ],
    ['a wildcard', { domainName: '*.example.com' }, /^domainName must be the name of a host/],
    [
      'a name for what only networks reach',
      {
        ...{ domainName: 'registry.example.com', vpcEndpointIds: 'vpce-11111111' },
        certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0123',
      },
      /^domainName is for a public API/,
    ],
    [
      'no address at all',
      { disableDefaultEndpoint: true },
      /^domainName is required: disableDefaultEndpoint closes the only other address$/,
    ],
    ...[
      'alias/registry',
      'arn:aws:kms:eu-west-1:123456789012:alias/registry',
      'arn:aws:kms:eu-west-1:123456789012:key/*',
      'arn:aws:kms:eu-west-1:123456789012:key/0123',
    ].map((kmsKeyArn): [string, Record<string, unknown>, RegExp] => [
      `the key ${kmsKeyArn}`,
      { kmsKeyArn },
      /^kmsKeyArn must be the ARN of a KMS key$/,
    ]),
    ['no endpoint', { vpcEndpointIds: 'vpc-1' }, /^vpcEndpointIds must be ids of VPC endpoints/],
    [
      'subnets without security groups',
      { subnetIds: 'subnet-0123456789abcdef0' },
      /^securityGroupIds is required: subnetIds and securityGroupIds go together$/,
    ],
    ['no subnet', { subnetIds: 'vpc-11111111' }, /^subnetIds must be ids of subnets such as/],
    ...[
      'proxy.example.com:3128',
      'socks5://proxy.example.com',
      'http://user:pa55word@proxy.example.com:3128',
      'http://proxy.example.com/path',
      'http://proxy.example.com?x',
    ].map((proxyUrl): [string, Record<string, unknown>, RegExp] => [
      `the proxy ${proxyUrl}`,
      { proxyUrl },
      /^proxyUrl must be the http or https URL of a proxy (?!.*pa55word)/,
    ]),
    [
      'hosts without a proxy to go around',
      { noProxy: '.example.com' },
      /^proxyUrl is required: noProxy/,
    ],
    [
      'a URL as a host',
      { proxyUrl: 'http://proxy.example.com', noProxy: 'https://a.example.com' },
      /^noProxy must be names of hosts/,
    ],
    ['a tag that AWS keeps for itself', { tags: '{"aws:x":"y"}' }, /^tags.* must be a JSON object/],
    ['an unknown environment', { environment: 'prod' }, /^environment must be production or/],
    [
      'a retention that CloudWatch has not',
      { logRetentionDays: '4' },
      /^logRetentionDays must be one of 1, 3/,
    ],
    ['no number', { slowAnswerMs: 'x' }, /^slowAnswerMs must be milliseconds/],
    ['zero', { throttleRate: 0, throttleBurst: 1 }, /^throttleRate must be requests a second/],
    [
      'four eyes without tokens',
      { fourEyes: true },
      /^requireTokens is required: fourEyes identifies people by their tokens$/,
    ],
    [
      'an issuer without its client',
      { oidcIssuer: 'https://id.example.com' },
      /^oidcClientId is required: oidcIssuer and oidcClientId go together$/,
    ],
    [
      'an issuer with a query',
      { oidcIssuer: 'https://id.example.com?a=b', oidcClientId: 'x' },
      /^oidcIssuer must be the exact issuer/,
    ],
    [
      'an issuer without TLS',
      { oidcIssuer: 'HTTP://id.example.com', oidcClientId: 'x' },
      /^oidcIssuer must be an https URL in production$/,
    ],
    [
      'an origin with a path',
      {
        ...{ oidcIssuer: 'https://id.example.com', oidcClientId: 'x' },
        oidcOrigins: 'https://id.example.com/a',
      },
      /^oidcOrigins must be http or https origins/,
    ],
    ...['https://x;frame-ancestors', 'https://*', 'https://a,*', 'null', 'ws://id.example.com'].map(
      (oidcOrigins): [string, Record<string, unknown>, RegExp] => [
        `the origin ${oidcOrigins}`,
        { oidcIssuer: 'https://id.example.com', oidcClientId: 'x', oidcOrigins },
        /^oidcOrigins must be http or https origins/,
      ],
    ),
    [
      'an origin without TLS',
      {
        ...{ oidcIssuer: 'https://id.example.com', oidcClientId: 'x' },
        oidcOrigins: 'http://id.example.com',
      },
      /^oidcOrigins must be https origins in production$/,
    ],
    [
      'origins without an issuer',
      { oidcOrigins: 'https://id.example.com' },
      /^oidcIssuer is required: oidcOrigins are for its sign-in$/,
    ],
    ['a client of two lines', { oidcClientId: 'a\nb' }, /^oidcClientId must be the id of a client/],
    ['half a throttle', { throttleRate: 1 }, /^throttleBurst is required: .* go together$/],
    ['no address', { alarmEmail: 'ops' }, /^alarmEmail must be an e-mail address$/],
    ['no flag', { requireTokens: 'yes' }, /^requireTokens must be true or false$/],
    ['too little memory', { memoryMb: 64 }, /^memoryMb must be from 128 to 10240$/],
    ['no instance', { gateConcurrency: 0 }, /^gateConcurrency must be instances, .* above 0$/],
    ['a worker alone', { workerConcurrency: 1 }, /^workerConcurrency must be from 2 to 1000/],
    ['more than SQS allows', { workerConcurrency: 1001 }, /^workerConcurrency must be from 2/],
    [
      'an issue that there is none of',
      { blockingIssues: 'scan_failed,ugly' },
      /^blockingIssues must be some of malware, .*, separated by commas, or none$/,
    ],
    [
      'an origin without TLS',
      { mavenUrl: 'http://mirror.example/' },
      /^mavenUrl must be an https URL in production$/,
    ],
    ['no address of an origin', { pypiUrl: 'mirror' }, /^pypiUrl must be an http or https URL$/],
    [
      'a mirror that gets an account without TLS',
      {
        ...{ environment: 'development', mavenUrl: 'http://mirror.example/' },
        upstreamSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:registries-AbCdEf',
      },
      /^mavenUrl must be an https URL: others could read its account/,
    ],
    [
      'an account in the address of a mirror',
      { npmUrl: 'https://reader:pa55word@mirror.example/npm' },
      /^npmUrl must have no user and no password: (?!.*pa55word)/,
    ],
    [
      'an account in the address of a TUF repository',
      { trustedRootUrl: 'https://reader@tuf.example' },
      /^trustedRootUrl must have no user and no password/,
    ],
    [
      'an account in the address of files, which clients would get',
      { gateOrigins: 'npm:https://files.example=https://reader:pa55word@mirror.example/' },
      /^gateOrigins must be addresses of files, (?!.*pa55word)/,
    ],
    [
      'plugins of no kind',
      { gateMavenPlugins: 'all' },
      /^gateMavenPlugins must be one of approved, pass$/,
    ],
    ['a bad name', { stackName: '1x' }, /^stackName must start with a letter/],
    [
      'an unknown table',
      { restoredTables: '{"x":"abc"}' },
      /^restoredTables must be a JSON object/,
    ],
    [
      'a restored table without its stream',
      { restoredTables: { packages: 'packages-restored' } },
      /^restoredStreams must name the stream of packages-restored: enable it .* or set osvScanning and collectFacts to false$/,
    ],
    [
      'restored decisions without their stream, whether anything is scanned or not',
      { restoredTables: { decisions: 'decisions-restored' }, osvScanning: false },
      /^restoredStreams must name the stream of decisions-restored: enable it .* as decisions$/,
    ],
    [
      'restored reviews without their stream, of which old images are needed, too',
      { restoredTables: { reviews: 'reviews-restored' } },
      /^restoredStreams must name the stream of reviews-restored: enable it \(NEW_AND_OLD_IMAGES\)/,
    ],
    [
      'no ARN of a stream',
      { restoredStreams: { packages: 'x' } },
      /^restoredStreams.packages must be the ARN of a DynamoDB stream/,
    ],
    [
      'the stream of a table that has none',
      { restoredStreams: { scans: streamOf('scans') } },
      /^restoredStreams must be a JSON object from packages, decisions, reviews, events to/,
    ],
    [
      'the stream of another table than the restored one',
      {
        restoredTables: { packages: 'restored' },
        restoredStreams: { packages: streamOf('packages') },
      },
      /^restoredStreams must name the stream of restored, not of packages$/,
    ],
    [
      'a stream without a restored table',
      { restoredStreams: { packages: streamOf('packages') } },
      /^restoredStreams names a stream of packages, which is not among the restoredTables$/,
    ],
    [
      'no ARN of a topic',
      { alarmTopicArn: 'ops' },
      /^alarmTopicArn must be the ARN of an SNS topic/,
    ],
    [
      'the ARN of something else for a topic',
      { alarmTopicArn: 'arn:aws:sqs:eu-west-1:123456789012:ops' },
      /^alarmTopicArn must be the ARN of an SNS topic$/,
    ],
    ['no address of OSV.dev', { osvUrl: 'osv.dev' }, /^osvUrl must be an http or https URL$/],
    [
      'OSV.dev without TLS in production',
      { osvUrl: 'http://osv.example' },
      /^osvUrl must be an https URL in production$/,
    ],
    [
      'an unknown severity',
      { scanFailedFrom: 'severe' },
      /^scanFailedFrom must be one of critical, high, medium, low, none$/,
    ],
    [
      'a threshold of what nobody has rated',
      { scanWarningFrom: 'unrated' },
      /^scanWarningFrom must be one of critical, high, medium, low, none$/,
    ],
    [
      'an unknown meaning of what nobody has rated',
      { scanUnrated: 'none' },
      /^scanUnrated must be one of failed, warning, passed$/,
    ],
    [
      'a webhook without its secret',
      { webhookUrl: hook },
      /^webhookSecretArn is required: .* go together$/,
    ],
    [
      'the secret of no webhook',
      { webhookSecretArn: secret },
      /^webhookUrl is required: .* go together$/,
    ],
    ...[
      'http://hooks.example.com',
      'https://me:pw@hooks.example.com',
      'https://a.example/*',
      'https://',
      'hooks',
    ].map((webhookUrl): [string, Record<string, unknown>, RegExp] => [
      `the webhook ${webhookUrl}`,
      { webhookUrl, webhookSecretArn: secret },
      /^webhookUrl must be an https URL of at most 2048 characters, without a user, a password, \* or #$/,
    ]),
    [
      'no ARN of a secret',
      { webhookUrl: hook, webhookSecretArn: 'hook' },
      /^webhookSecretArn must be the ARN of a Secrets Manager secret$/,
    ],
    ...[
      'registries',
      'arn:aws:secretsmanager:eu-west-1:123456789012:secret:registries',
      'arn:aws:secretsmanager:eu-west-1:123456789012:secret:*-AbCdEf',
      'arn:aws:secretsmanager:*:123456789012:secret:registries-AbCdEf',
      'arn:aws:secretsmanager:eu-west-1:123456789012:secret:registries-??????',
    ].map((upstreamSecretArn): [string, Record<string, unknown>, RegExp] => [
      `the secret of upstream services ${upstreamSecretArn}`,
      { upstreamSecretArn },
      /^upstreamSecretArn must be the ARN of a Secrets Manager secret, with the six characters at its end$/,
    ]),
    [
      'no path of a file',
      { imageRegistries: '' },
      /^imageRegistries must be the path of a JSON file$/,
    ],
    ['no JSON', { restoredTables: '{' }, /^restoredTables must be a JSON object/],
  ])('rejects %s in one line', (_, context, message) => {
    expect(() => parseSettings(context)).toThrow(SettingsError);
    expect(() => parseSettings(context)).toThrow(message);
  });
});
