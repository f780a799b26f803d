import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { addRegistry } from '../../infra/add-registry.ts';
import { parseSettings } from '../../infra/config.ts';
import { sharedCode } from '../support/stack-template.ts';
import { allSettings } from './all-settings.ts';

describe('the app', () => {
  it.each<[string, object]>([
    ['no settings', {}],
    ['all settings', allSettings],
    ['a private API', { vpcEndpointIds: 'vpce-0123456789abcdef0', gatewayLogRole: false }],
  ])('synthesises the registry with %s, without breaking a rule of AwsSolutions', (_, given) => {
    const app = new App({ context: cdkJson.context });
    addRegistry(app, parseSettings({ ...given }), sharedCode);

    expect(() => app.synth()).not.toThrow();
  });

  it('does not synthesise a stack that breaks a rule', () => {
    const app = new App({ context: cdkJson.context });
    new Topic(addRegistry(app, parseSettings({}), sharedCode), 'Plain');

    expect(() => app.synth()).toThrow('AwsSolutions-SNS3');
  });

  it('is the app that cdk.json runs', () => {
    expect(cdkJson.app).toBe('node infra/check-node.mjs && node infra/app.ts');
    expect(readFileSync('infra/app.ts', 'utf8')).toContain('addRegistry(app, settings, bundles)');
  });
});
