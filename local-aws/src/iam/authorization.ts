/** Refuses AWS calls that the caller's role does not allow, with AWS's error messages. */
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiCall, ApiError, readAccessKeyId } from '../api-call.ts';
import type { SecretsManager } from '../secrets/secrets-manager.ts';
import type { Decision } from '../template/policy.ts';
import type { Principal, Principals } from './principals.ts';
import { type Access, findRequiredAccess } from './required-access.ts';

/** @throws {ApiError} for an unsigned request or an unknown access key */
export const authenticate = (headers: IncomingHttpHeaders, principals: Principals): Principal => {
  const keyId = readAccessKeyId(headers);
  if (keyId === undefined) {
    throw new ApiError('MissingAuthenticationTokenException', 'Missing Authentication Token');
  }
  const principal = principals.findByAccessKeyId(keyId);
  if (principal === undefined) {
    throw new ApiError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  }
  return principal;
};

const makeDenial = (arn: string, { action, resource }: Access, decision: Decision): ApiError => {
  const because =
    decision === 'denied explicitly'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  return new ApiError(
    'AccessDeniedException',
    `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} ${because}`,
  );
};

const findAccesses = (call: ApiCall, secretsManager: SecretsManager): readonly Access[] => {
  const { service, operation, body } = call;
  if (service === 'secretsmanager') {
    const action = `secretsmanager:${operation}`;
    return [{ action, resource: secretsManager.findArn(body['SecretId']) }];
  }
  const accesses = findRequiredAccess(call);
  if (accesses === undefined) {
    throw new ApiError('AccessDeniedException', `${operation} is not available here: PartiQL`);
  }
  return accesses;
};

/** @throws {ApiError} with the first action and resource that the caller may not use */
export const authorize = (
  { arn, policy }: Principal,
  call: ApiCall,
  secretsManager: SecretsManager,
): void => {
  for (const access of findAccesses(call, secretsManager)) {
    const decision = policy(access.action, access.resource, access.keys);
    if (decision !== 'allowed') throw makeDenial(arn, access, decision);
  }
};
