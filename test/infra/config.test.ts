import { describe, expect, it } from 'vitest';
import { parseSettings, SettingsError } from '../../infra/config.ts';

describe('parseSettings', () => {
  it('is safe for production without any setting', () => {
    expect(
      parseSettings({
        '@aws-cdk/core:flag': true,
        'aws:cdk:x': 1,
        'acknowledged-issue-numbers': [38113],
        'cli-telemetry': false,
      }),
    ).toEqual({
      environment: 'production',
      stackName: 'PackageRegistry',
      slowAnswerMs: 3000,
      refusalBurst: 100,
      keptTokens: 1,
      licensePolicy: 'infra/license-policy.json',
      logRetentionDays: 90,
      osvScanning: true,
      osvTimeoutMs: 5000,
      osvUrl: 'https://api.osv.dev',
      rescanHours: 24,
      scanFailedFrom: 'high',
      scanWarningFrom: 'low',
      requireApprovedLicense: false,
      requireTokens: false,
      memoryMb: 1024,
      counterShards: 4,
      restoredTables: {},
    });
  });

  it('reads what the command line gives as text', () => {
    const settings = parseSettings({
      environment: 'development',
      alarmEmail: 'ops@example.com',
      logRetentionDays: '30',
      requireTokens: 'true',
      throttleRate: '50',
      throttleBurst: '100',
      osvScanning: 'false',
      restoredTables: '{"packages":"packages-restored"}',
    });

    expect(settings).toMatchObject({
      environment: 'development',
      logRetentionDays: 30,
      requireTokens: true,
      throttleRate: 50,
      throttleBurst: 100,
      restoredTables: { packages: 'packages-restored' },
    });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an unknown setting', { alarmEmial: 'x' }, /^alarmEmial is unknown; there are environment, /],
    ['an unknown environment', { environment: 'prod' }, /^environment must be production or/],
    [
      'a retention that CloudWatch has not',
      { logRetentionDays: '4' },
      /^logRetentionDays must be one of 1, 3/,
    ],
    ['no number', { slowAnswerMs: 'x' }, /^slowAnswerMs must be milliseconds/],
    ['zero', { throttleRate: 0, throttleBurst: 1 }, /^throttleRate must be requests a second/],
    ['half a throttle', { throttleRate: 1 }, /^throttleBurst is required: .* go together$/],
    ['no address', { alarmEmail: 'ops' }, /^alarmEmail must be an e-mail address$/],
    ['no flag', { requireTokens: 'yes' }, /^requireTokens must be true or false$/],
    ['too little memory', { memoryMb: 64 }, /^memoryMb must be from 128 to 10240$/],
    ['a bad name', { stackName: '1x' }, /^stackName must start with a letter/],
    [
      'an unknown table',
      { restoredTables: '{"x":"abc"}' },
      /^restoredTables must be a JSON object/,
    ],
    [
      'a restored table without its stream',
      { restoredTables: { packages: 'packages-restored' } },
      /^packagesStreamArn is required: enable the restored table's stream/,
    ],
    ['no ARN of a stream', { packagesStreamArn: 'x' }, /^packagesStreamArn must be the ARN/],
    ['no address of OSV.dev', { osvUrl: 'osv.dev' }, /^osvUrl must be an http or https URL$/],
    [
      'an unknown severity',
      { scanFailedFrom: 'severe' },
      /^scanFailedFrom must be one of critical, high, medium, low, none$/,
    ],
    ['no JSON', { restoredTables: '{' }, /^restoredTables must be a JSON object/],
  ])('refuses %s in one line', (_, context, message) => {
    expect(() => parseSettings(context)).toThrow(SettingsError);
    expect(() => parseSettings(context)).toThrow(message);
  });
});
