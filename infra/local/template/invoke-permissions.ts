/** Reads who may invoke a function: `AWS::Lambda::Permission`, the function's side of an integration. */
import * as z from 'zod';
import { wildcard } from '../aws/iam.ts';
import type { LambdaFunction } from './model.ts';
import { executeApiArn, functionArn } from './names.ts';
import type { Reader } from './reader.ts';

const permissionSchema = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
});

export type InvokePermission = z.output<typeof permissionSchema>;

/** The permissions that the template gives to API Gateway. */
export const readPermissions = (reader: Reader): readonly InvokePermission[] =>
  reader
    .ofType('AWS::Lambda::Permission')
    .filter(({ properties }) => properties['Principal'] === 'apigateway.amazonaws.com')
    .map((resource) => reader.read(resource, permissionSchema));

/**
 * Whether API Gateway may invoke the function for a method.
 * @param source `api/stage/METHOD/path`, the path as a template: `*` in a permission stands for its parameters
 */
export function permits(
  permissions: readonly InvokePermission[],
  { name }: LambdaFunction,
  source: string,
): boolean {
  const sourceArn = executeApiArn(source);
  return permissions
    .filter(({ FunctionName }) => FunctionName === name || FunctionName === functionArn(name))
    .filter(({ Action }) => Action === 'lambda:InvokeFunction' || Action === 'lambda:*')
    .some(({ SourceArn = '*' }) => wildcard(SourceArn).test(sourceArn));
}
