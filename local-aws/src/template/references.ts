/** What `Ref` and `Fn::GetAtt` give for each type of resource, on this machine. */
import type { Resource } from './assembly.ts';
import {
  functionArn,
  logGroupArn,
  queueArn,
  queueUrl,
  roleArn,
  ruleArn,
  secretArn,
  streamArn,
  tableArn,
} from './names.ts';

interface ReferenceRules {
  /** The property that names the resource when the template gives one; else its logical id does. */
  readonly nameProperty?: string;
  /** The value of `Ref`, from the name. Absent: the name itself. */
  readonly ref?: (name: string) => string;
  readonly attributes?: Readonly<Record<string, (name: string) => string>>;
}

/** The id of an API's root resource, which the template itself never declares. */
export const nameRootResource = (apiName: string): string => `${apiName}-root`;

const table: ReferenceRules = {
  nameProperty: 'TableName',
  attributes: { Arn: tableArn, StreamArn: streamArn },
};

const rules: Readonly<Record<string, ReferenceRules>> = {
  'AWS::ApiGateway::Deployment': {},
  'AWS::ApiGateway::Resource': { attributes: { ResourceId: (name) => name } },
  'AWS::ApiGateway::RestApi': { attributes: { RootResourceId: nameRootResource } },
  'AWS::ApiGateway::Stage': { nameProperty: 'StageName' },
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
  'AWS::Events::Rule': { nameProperty: 'Name', attributes: { Arn: ruleArn } },
  'AWS::IAM::Role': { nameProperty: 'RoleName', attributes: { Arn: roleArn } },
  'AWS::Lambda::Function': { nameProperty: 'FunctionName', attributes: { Arn: functionArn } },
  'AWS::Logs::LogGroup': { nameProperty: 'LogGroupName', attributes: { Arn: logGroupArn } },
  'AWS::SecretsManager::Secret': {
    nameProperty: 'Name',
    ref: secretArn,
    attributes: { Id: secretArn },
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    ref: queueUrl,
    attributes: { Arn: queueArn, QueueName: (name) => name, QueueUrl: queueUrl },
  },
};

/** The property of this type that may give the resource its name. */
export const findNameProperty = (type: string): string | undefined => rules[type]?.nameProperty;

/** The value of `Ref`, or undefined where this type has none here. */
export const resolveRef = (resource: Resource, name: string): string | undefined => {
  const rule = rules[resource.type];
  return rule && (rule.ref?.(name) ?? name);
};

/** The value of `Fn::GetAtt`, or undefined where this type has no such attribute here. */
export const resolveAttribute = (
  resource: Resource,
  name: string,
  attribute: string,
): string | undefined => rules[resource.type]?.attributes?.[attribute]?.(name);
