/** Refuses AWS calls that the caller's role does not allow, in AWS's words. */
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiCall, ApiError, accessKeyId } from './api-call.ts';
import type { Decision } from './iam.ts';
import type { Principal, Principals } from './principals.ts';
import { type Access, requiredAccess } from './required-access.ts';
import type { SecretsManager } from './secrets-manager.ts';

/** @throws {ApiError} for an unsigned request, or for a key that belongs to no one */
export function authenticate(headers: IncomingHttpHeaders, principals: Principals): Principal {
  const keyId = accessKeyId(headers);
  if (keyId === undefined) {
    throw new ApiError('MissingAuthenticationTokenException', 'Missing Authentication Token');
  }
  const principal = principals.byAccessKeyId(keyId);
  if (principal === undefined) {
    throw new ApiError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  }
  return principal;
}

function accessDenied(arn: string, { action, resource }: Access, decision: Decision): ApiError {
  const because =
    decision === 'denied explicitly'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  return new ApiError(
    'AccessDeniedException',
    `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} ${because}`,
  );
}

function accessesOf(call: ApiCall, secretsManager: SecretsManager): readonly Access[] {
  const { service, operation, body } = call;
  if (service === 'secretsmanager') {
    const action = `secretsmanager:${operation}`;
    return [{ action, resource: secretsManager.arnOf(body['SecretId']) }];
  }
  const accesses = requiredAccess(call);
  if (accesses === undefined) {
    throw new ApiError('AccessDeniedException', `${operation} is not available here: PartiQL`);
  }
  return accesses;
}

/** @throws {ApiError} naming the first action and resource that the caller may not use */
export function authorize(
  { arn, policy }: Principal,
  call: ApiCall,
  secretsManager: SecretsManager,
): void {
  for (const access of accessesOf(call, secretsManager)) {
    const decision = policy(access.action, access.resource);
    if (decision !== 'allowed') throw accessDenied(arn, access, decision);
  }
}
