import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { Settings } from '../../infra/config.ts';
import { allFunctions } from '../../shared/api/functions.ts';
import { queues, tables } from '../../shared/api/resources.ts';
import { workers } from '../../shared/api/workers.ts';
import { synthesiseStack } from '../support/stack-template.ts';
import { findResource, listResources, listStatements, toLogicalId } from './properties/property.ts';

let plain: Template;
let traced: Template;
let closed: Template;
beforeAll(() => {
  plain = synthesiseStack({});
  traced = synthesiseStack({
    tracing: true,
    dashboard: false,
    tags: '{"team":"platform","cost centre":"4711"}',
    domainName: 'registry.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0123-4567',
  });
  closed = synthesiseStack({ vpcEndpointIds: 'vpce-0123456789abcdef0, vpce-11111111' });
});

const listTracing = (template: Template): unknown[] => [
  ...listResources(template, 'AWS::Lambda::Function').map(
    ({ Properties }) => Properties.TracingConfig?.Mode,
  ),
  findResource(template, 'AWS::ApiGateway::Stage', 'Api')['Properties'].TracingEnabled,
];

const listTags = (template: Template): unknown[] =>
  Object.values(template.toJSON()['Resources'] as Record<string, { Properties?: object }>).flatMap(
    ({ Properties = {} }) => ('Tags' in Properties ? [Properties.Tags] : []),
  );

describe('the dashboard', () => {
  const read = (template: Template): string => {
    const { DashboardBody } = findResource(template, 'AWS::CloudWatch::Dashboard', 'Monitoring')[
      'Properties'
    ];
    return JSON.stringify(DashboardBody);
  };

  it('shows requests, latency, errors, queues, scans, recalls, and capacity units', () => {
    const body = read(synthesiseStack({ followUpdates: 'minor' }));

    for (const metric of [
      'Count',
      '4XXError',
      '5XXError',
      'Latency',
      'p99',
      'AttentionNeeded',
      'RecallDelay',
    ]) {
      expect(body).toContain(`\\"${metric}\\"`);
    }
    expect(body).toContain('MetricName=\\\\\\"Problems\\\\\\"');
    for (const id of Object.keys(queues)) expect(body).toContain(`${id}: dead letters`);
    for (const kind of ['Read', 'Write']) {
      const named = body.split(`Consumed${kind}CapacityUnits`).length - 1;
      expect(named).toBe(Object.keys(tables).length);
    }
  });

  it('is named after the stack and its region, and is absent without the setting', () => {
    const named = findResource(plain, 'AWS::CloudWatch::Dashboard', 'Monitoring')['Properties'];

    expect(named.DashboardName).toEqual({
      'Fn::Join': ['', ['PackageRegistry-', { Ref: 'AWS::Region' }]],
    });
    expect(listResources(traced, 'AWS::CloudWatch::Dashboard')).toEqual([]);
  });

  it('graphs the numbers of rescans and recalls', () => {
    const counted = listResources(plain, 'AWS::Logs::MetricFilter').flatMap(({ Properties }) =>
      Properties.MetricTransformations.map(
        ({ MetricName, MetricValue }: { MetricName: string; MetricValue: string }) =>
          `${MetricName} ${MetricValue}`,
      ),
    );

    expect(counted).toEqual(
      expect.arrayContaining([
        'Rescanned $.scanned',
        'RescansFailed $.failed',
        'RecallDelay $.minutes',
        'IntegrityProblems $.problems',
      ]),
    );
  });
});

describe('tracing', () => {
  it('traces every function and the API, and grants each function to write traces', () => {
    const grants = JSON.stringify(listStatements(traced));

    expect(listTracing(traced)).toEqual([...allFunctions.map(() => 'Active'), true]);
    expect(grants.split('"xray:PutTraceSegments"').length - 1).toBe(allFunctions.length);
  });

  it('is off by default, and grants nothing then', () => {
    expect(listTracing(plain)).toEqual([...allFunctions.map(() => undefined), false]);
    expect(JSON.stringify(listStatements(plain))).not.toContain('xray:');
  });
});

describe('tags', () => {
  it('are set on every resource that accepts tags', () => {
    const marks = listTags(traced);
    const marked = marks.filter((tags) => JSON.stringify(tags).includes('platform'));

    expect(marked.length).toBe(marks.length);
    expect(marked.length).toBeGreaterThan(allFunctions.length * 2);
  });

  it('are absent by default', () => {
    expect(JSON.stringify(listTags(plain))).not.toContain('platform');
  });
});

describe('a custom domain', () => {
  it('serves the API with TLS 1.2 or newer', () => {
    const { id } = findResource(traced, 'AWS::ApiGateway::RestApi', 'Api');
    const domain = findResource(traced, 'AWS::ApiGateway::DomainName', 'Api');

    expect(domain['Properties']).toMatchObject({
      DomainName: 'registry.example.com',
      RegionalCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0123-4567',
      SecurityPolicy: 'TLS_1_2',
    });
    traced.hasResourceProperties('AWS::ApiGateway::BasePathMapping', {
      DomainName: { Ref: domain.id },
      RestApiId: { Ref: id },
    });
  });

  it('is the address in the outputs, with the target of its DNS record', () => {
    const { Outputs } = traced.toJSON();

    expect(JSON.stringify(Outputs.ApiUrl.Value)).toMatch(/"https:\/\/",/);
    expect(JSON.stringify(Outputs.DomainTarget.Value)).toContain('RegionalDomainName');
    expect(plain.toJSON()['Outputs']).not.toHaveProperty('DomainTarget');
  });
});

describe('a private API', () => {
  it('accepts requests from its VPC endpoints only', () => {
    const ids = ['vpce-0123456789abcdef0', 'vpce-11111111'];
    const { EndpointConfiguration, Policy } = findResource(
      closed,
      'AWS::ApiGateway::RestApi',
      'Api',
    )['Properties'];

    expect(EndpointConfiguration).toEqual({ Types: ['PRIVATE'], VpcEndpointIds: ids });
    expect(Policy.Statement).toEqual([
      {
        Action: 'execute-api:Invoke',
        Condition: { StringEquals: { 'aws:SourceVpce': ids } },
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Resource: 'execute-api:/*',
      },
    ]);
  });

  it('is public by default', () => {
    const { Properties } = findResource(plain, 'AWS::ApiGateway::RestApi', 'Api');

    expect(Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
    expect(Properties).not.toHaveProperty('Policy');
  });
});

describe('the pages for operators', () => {
  const page = readFileSync('docs/operate.md', 'utf8');
  const settingsPages = ['docs/settings.md', 'docs/review-settings.md']
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const [, section = ''] = page.split('## Alarms\n');
  const [table = ''] = section.split(/^## /m);
  const documented = table.split('\n').flatMap((row) => {
    const [, names = ''] = /^\| (`[^|]+`) \|/.exec(row) ?? [];
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
  const alternatives: Readonly<Record<string, readonly string[]>> = {
    WORKER: Object.values(workers).map(({ id }) => id),
    QUEUE: Object.keys(queues),
  };
  /** Returns the prefixes of logical ids that a documented name stands for. */
  const expand = (name: string): string[] => {
    const [word = ''] = /^[A-Z]{2,}(?=-)/.exec(name) ?? [];
    const names = word ? (alternatives[word] ?? []) : [''];
    return names.map((one) => `Monitoring${toLogicalId(name.replace(word, one))}`);
  };

  it('explains every alarm, and no other', () => {
    const signing = synthesiseStack({
      ...{ signDecisions: true, identityRules: 'infra/identity.example.json' },
      ...{ oidcAudience: 'registry', oidcIssuer: 'https://id.example.com', oidcClientId: 'id' },
    });
    const alarms = listResources(signing, 'AWS::CloudWatch::Alarm').map(({ id }) =>
      id.replace(/[0-9A-F]{8}$/, ''),
    );

    expect(documented.flatMap(expand)).toEqual(expect.arrayContaining(alarms));
    for (const name of documented) {
      expect(
        expand(name).some((id) => alarms.includes(id)),
        name,
      ).toBe(true);
    }
  });

  it('has a row for every setting, and no other row', () => {
    const named = settingsPages.split('\n').flatMap((row) => {
      const [, names = ''] = /^\| (`[^|]+`) \|/.exec(row) ?? [];
      return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    });

    expect(named.toSorted()).toEqual(Object.keys(Settings.in.shape).toSorted());
  });
});
