import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, expect, it } from 'vitest';
import { synthesiseStack } from '../support/stack-template.ts';
import { allSettings } from './all-settings.ts';
import type { Resource } from './properties/property.ts';

const account = '123456789012';

/** Types whose names are unique in an account, across its regions. */
const globalTypes = [/^AWS::IAM::/, /^AWS::CloudWatch::Dashboard$/, /^AWS::S3::Bucket$/];

/** Properties that name a part of another resource, or a domain that the organisation chooses for each stage. */
const ownNames = [
  /^AWS::ApiGateway::Stage\.StageName$/,
  /^AWS::CloudWatch::Alarm\.MetricName$/,
  /^AWS::ApiGateway::DomainName\.DomainName$/,
];

/** Returns the text that CloudFormation makes of a value; undefined for a reference to a resource. */
const resolveText = (value: unknown, region: string): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('Ref' in value) {
    const pseudo: Readonly<Record<string, string>> = {
      'AWS::AccountId': account,
      'AWS::Partition': 'aws',
      'AWS::Region': region,
    };
    return pseudo[String(value.Ref)];
  }
  if ('Fn::Sub' in value) throw new Error(`A name by Fn::Sub: ${JSON.stringify(value)}`);
  if (!('Fn::Join' in value)) return undefined;
  const [delimiter, parts] = value['Fn::Join'] as [string, unknown[]];
  const texts = parts.map((part) => resolveText(part, region));
  return texts.includes(undefined) ? undefined : texts.join(delimiter);
};

/** Returns each explicit name with the account, region and type in which it must be unique. */
const listNames = (template: Template, region: string): string[] => {
  const { Resources, Outputs } = template.toJSON();
  const resources = Object.values<Resource>(Resources).flatMap(({ Type, Properties = {} }) =>
    Object.entries(Properties)
      .filter(([property]) => property.endsWith('Name'))
      .filter(([property]) => !ownNames.some((pattern) => pattern.test(`${Type}.${property}`)))
      .flatMap(([property, value]) => {
        const name = resolveText(value, region);
        const scope = globalTypes.some((type) => type.test(Type)) ? 'global' : region;
        return name === undefined ? [] : [`${scope} ${Type}.${property} ${name}`];
      }),
  );
  const outputs = Object.values<Resource>(Outputs).flatMap(({ Export }) =>
    Export ? [`${region} export ${resolveText(Export.Name, region)}`] : [],
  );
  return [...resources, ...outputs];
};

const stages = ['Registry', 'RegistryStaging'];

/** Returns the names of all stages, each deployed to two regions of one account. */
const listAllNames = (templates: readonly Template[]): string[] =>
  templates.flatMap((template) =>
    ['eu-west-1', 'us-east-1'].flatMap((region) => listNames(template, region)),
  );

const listRepeated = (names: readonly string[]): string[] =>
  names.filter((name, at) => names.indexOf(name) !== at);

let templates: Template[];
beforeAll(() => {
  templates = stages.map((stackName) => synthesiseStack({ ...allSettings, stackName }));
});

it('gives no name to two resources, in two stages and two regions of one account', () => {
  const names = listAllNames(templates);

  expect(names).toContain('global AWS::CloudWatch::Dashboard.DashboardName Registry-eu-west-1');
  expect(names).toContain('us-east-1 AWS::Logs::QueryDefinition.Name RegistryStaging/By token');
  expect(listRepeated(names)).toEqual([]);
});

it.each([
  ['a role by its stack alone', 'AWS::IAM::Role', { RoleName: 'Registry' }],
  ['an alarm that the stages share', 'AWS::CloudWatch::Alarm', { AlarmName: 'worker-faults' }],
])('would find %s', (_, Type, Properties) => {
  const others = templates.map((template) => {
    const json = structuredClone(template.toJSON());
    json['Resources'].Planted = { Type, Properties };
    return Template.fromJSON(json);
  });

  expect(listRepeated(listAllNames(others)).join()).toContain(Object.values(Properties).join());
});

it('has room for a few more resources in each stage', () => {
  for (const template of templates) {
    expect(Object.keys(template.toJSON()['Resources']).length).toBeLessThan(460);
  }
});
