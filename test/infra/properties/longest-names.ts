import type { Template } from 'aws-cdk-lib/assertions';
import type { Resource } from './property.ts';

/** The longest names that AWS accepts, in characters. Every other type counts as 256. */
const longestNames: Readonly<Record<string, number>> = {
  'AWS::DynamoDB::GlobalTable': 255,
  'AWS::Lambda::Function': 64,
  'AWS::Logs::LogGroup': 512,
  'AWS::SQS::Queue': 80,
  'AWS::SecretsManager::Secret': 512,
};

/** The longest value of a pseudo parameter, such as the region `ap-southeast-1`. */
const longestPseudo = 'x'.repeat(14);

const arn = `arn:aws-us-gov:secretsmanager:${longestPseudo}:123456789012:function:`;
const streamLabel = '/stream/2026-01-31T12:00:00.000';

/** Returns a value of the template as it is deployed at most, with the longest names of all that it refers to. */
export const resolveLongest = (template: Template, value: unknown): unknown => {
  const resources: Record<string, Resource> = template.toJSON()['Resources'];
  const nameOf = (id: string): string =>
    'x'.repeat(longestNames[resources[id]?.['Type'] ?? ''] ?? 256);
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== 'object' || part === null) return part;
    if ('Ref' in part) {
      const id = String(part.Ref);
      return id.startsWith('AWS::') ? longestPseudo : `${arn}${nameOf(id)}`;
    }
    if ('Fn::GetAtt' in part) {
      const [id, attribute] = part['Fn::GetAtt'] as [string, string];
      return `${arn}${nameOf(id)}${attribute === 'StreamArn' ? streamLabel : ''}`;
    }
    if ('Fn::Join' in part) {
      const [delimiter, parts] = part['Fn::Join'] as [string, unknown[]];
      return parts.map(resolve).join(delimiter);
    }
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, resolve(one)]));
  };
  return resolve(value);
};
