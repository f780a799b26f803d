/** Local values of `Ref` and `Fn::GetAtt` for each resource type. */
import type { Resource } from './assembly.ts';
import {
  functionArn,
  keyArn,
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
  /** Property with the resource's name. Without a value, the logical id is the name. */
  readonly nameProperty?: string;
  /** Computes the value of `Ref` from the name. Absent: the name itself. */
  readonly ref?: (name: string) => string;
  readonly attributes?: Readonly<Record<string, (name: string) => string>>;
}

/** Returns the id of an API's root resource, which templates do not declare. */
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
  'AWS::KMS::Key': { attributes: { Arn: keyArn, KeyId: (id) => id } },
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

/** Returns the property with the name of a resource of this type. */
export const findNameProperty = (type: string): string | undefined => rules[type]?.nameProperty;

/** Returns the value of `Ref`, or undefined for an unknown type. */
export const resolveRef = (resource: Resource, name: string): string | undefined => {
  const rule = rules[resource.type];
  return rule && (rule.ref?.(name) ?? name);
};

/** Returns the value of `Fn::GetAtt`, or undefined if the type or attribute is unknown. */
export const resolveAttribute = (
  resource: Resource,
  name: string,
  attribute: string,
): string | undefined => rules[resource.type]?.attributes?.[attribute]?.(name);
