/** Reads `AWS::Lambda::Permission`: the permissions of API integrations and schedules to invoke a function. */
import * as z from 'zod';
import type { LambdaFunction } from './model.ts';
import { functionArn } from './names.ts';
import { compileWildcard } from './policy.ts';
import type { Reader } from './reader.ts';

const permissionSchema = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
});

export type InvokePermission = z.output<typeof permissionSchema>;

/**
 * Returns the template's permissions for one service.
 * @param principal such as `apigateway.amazonaws.com`
 */
export const readPermissions = (reader: Reader, principal: string): readonly InvokePermission[] =>
  reader
    .ofType('AWS::Lambda::Permission')
    .filter(({ properties }) => properties['Principal'] === principal)
    .map((resource) => reader.read(resource, permissionSchema));

/** True if the service may invoke the function on behalf of the resource with this ARN. */
export const permits = (
  permissions: readonly InvokePermission[],
  { name }: LambdaFunction,
  sourceArn: string,
): boolean =>
  permissions
    .filter(({ FunctionName }) => FunctionName === name || FunctionName === functionArn(name))
    .filter(({ Action }) => Action === 'lambda:InvokeFunction' || Action === 'lambda:*')
    .some(({ SourceArn = '*' }) => compileWildcard(SourceArn).test(sourceArn));
