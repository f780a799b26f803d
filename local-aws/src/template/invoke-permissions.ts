/** Reads who may invoke a function: `AWS::Lambda::Permission`, the function's side of an integration or a schedule. */
import * as z from 'zod';
import { compileWildcard } from '../iam/policy.ts';
import type { LambdaFunction } from './model.ts';
import { functionArn } from './names.ts';
import type { Reader } from './reader.ts';

const permissionSchema = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
});

export type InvokePermission = z.output<typeof permissionSchema>;

/**
 * The permissions that the template gives to one service.
 * @param principal such as `apigateway.amazonaws.com`
 */
export const readPermissions = (reader: Reader, principal: string): readonly InvokePermission[] =>
  reader
    .ofType('AWS::Lambda::Permission')
    .filter(({ properties }) => properties['Principal'] === principal)
    .map((resource) => reader.read(resource, permissionSchema));

/** Whether the service may invoke the function for what has this ARN. */
export const permits = (
  permissions: readonly InvokePermission[],
  { name }: LambdaFunction,
  sourceArn: string,
): boolean =>
  permissions
    .filter(({ FunctionName }) => FunctionName === name || FunctionName === functionArn(name))
    .filter(({ Action }) => Action === 'lambda:InvokeFunction' || Action === 'lambda:*')
    .some(({ SourceArn = '*' }) => compileWildcard(SourceArn).test(sourceArn));
