/**
 * Checks whether API Gateway may invoke a function, by the integration's role or else by an `AWS::Lambda::Permission`.
 */

import type { Resource } from './assembly.ts';
import { permits, readPermissions } from './invoke-permissions.ts';
import type { LambdaFunction } from './model.ts';
import { functionArn } from './names.ts';
import { createPolicy, type Policy } from './policy.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';
import { trustsService } from './role-trust.ts';
import { findRole, readRoles } from './roles.ts';

const service = 'apigateway.amazonaws.com';

/** One method of the API and the function behind it. */
export interface Integration {
  readonly method: Resource;
  readonly target: LambdaFunction;
  /** ARN of the method, including the stage. */
  readonly sourceArn: string;
  /** ARN of the integration's role. */
  readonly credentials?: string | undefined;
}

const findCredentials = (reader: Reader, method: Resource, arn: string): Resource => {
  const role = findRole(reader, arn);
  if (role === undefined) {
    throw new UnsupportedResourceError(method, `its role ${arn} is not in the template`);
  }
  return role;
};

/** Returns a check of whether API Gateway may invoke an integration. Each role and permission is read once. */
export const createGatewayAccess = (reader: Reader): ((integration: Integration) => boolean) => {
  const permissions = readPermissions(reader, service);
  const policies = new Map<string, Policy>();
  const readPolicy = ({ id }: Resource): Policy => {
    const known = policies.get(id);
    if (known) return known;
    const policy = createPolicy(readRoles(reader, new Set([id]), ['lambda'])[id] ?? []);
    policies.set(id, policy);
    return policy;
  };
  return ({ method, target, sourceArn, credentials }) => {
    if (credentials === undefined) return permits(permissions, target, sourceArn);
    const role = findCredentials(reader, method, credentials);
    return (
      trustsService(reader, role, { service, sourceArn }) &&
      readPolicy(role)('lambda:InvokeFunction', functionArn(target.name)) === 'allowed'
    );
  };
};
