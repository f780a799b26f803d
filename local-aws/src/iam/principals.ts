/** Callers of the local AWS services. Each function has its own access key, which identifies it. */
import { randomBytes } from 'node:crypto';
import { isObject } from '../json.ts';
import type { LambdaFunction, StackModel } from '../template/model.ts';
import { sessionArn, tableArn } from '../template/names.ts';
import { createPolicy, type Decision } from '../template/policy.ts';
import { createKeyPolicy } from './key-policy.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface Principal {
  /** Logical id of the function. Absent for the administrator. */
  readonly functionId?: string;
  readonly arn: string;
  readonly policy: AccessPolicy;
}

/** Decides whether an action on the resource with this ARN is allowed, and on the items with these keys, if it names items. */
export type AccessPolicy = (
  action: string,
  resource: string,
  keys?: readonly unknown[],
) => Decision;

export interface Principals {
  readonly administrator: Credentials;
  /** @throws {Error} if the stack has no such function */
  getCredentials(functionId: string): Credentials;
  findByAccessKeyId(accessKeyId: string): Principal | undefined;
}

/** Returns random credentials in the format of AWS's temporary credentials, so that functions treat them alike. */
const makeCredentials = (): Credentials => ({
  accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64'),
  sessionToken: randomBytes(60).toString('base64'),
});

/** Returns a reader of the partition keys in the keys of items, by the ARN of their table. */
const createKeyReader = ({ tables }: StackModel) => {
  const names = new Map(
    Object.values(tables).map(({ name, keySchema }) => [
      tableArn(name),
      keySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '',
    ]),
  );
  return (resource: string, keys: readonly unknown[]): readonly string[] => {
    const name = names.get(resource) ?? '';
    return keys.map((key) => {
      const value = isObject(key) ? key[name] : undefined;
      return String(isObject(value) ? value['S'] : value);
    });
  };
};

/** Returns the policy of a function's role: its identity-based policies, together with the key policies of signing keys. */
const createRolePolicy = (model: StackModel, { roleId }: LambdaFunction): AccessPolicy => {
  const { roles, signingKeys } = model;
  const identity = createPolicy(roles[roleId] ?? []);
  const readPartitionKeys = createKeyReader(model);
  const keys = new Map(
    Object.values(signingKeys).map((key) => [key.arn, createKeyPolicy(key.statements, roleId)]),
  );
  return (action, resource, itemKeys = []) => {
    const byIdentity = identity(action, resource, readPartitionKeys(resource, itemKeys));
    return keys.get(resource)?.(action, byIdentity) ?? byIdentity;
  };
};

export const createPrincipals = (model: StackModel): Principals => {
  const administrator = makeCredentials();
  const byKey = new Map<string, Principal>([
    [administrator.accessKeyId, { arn: 'administrator', policy: () => 'allowed' }],
  ]);
  const byFunction = new Map<string, Credentials>();
  for (const lambda of Object.values(model.functions)) {
    const { id, roleId } = lambda;
    const credentials = makeCredentials();
    byFunction.set(id, credentials);
    byKey.set(credentials.accessKeyId, {
      functionId: id,
      arn: sessionArn(roleId, id),
      policy: createRolePolicy(model, lambda),
    });
  }
  return {
    administrator,
    findByAccessKeyId: (accessKeyId) => byKey.get(accessKeyId),
    getCredentials: (functionId) => {
      const credentials = byFunction.get(functionId);
      if (credentials === undefined) throw new Error(`no function ${functionId} in the stack`);
      return credentials;
    },
  };
};
