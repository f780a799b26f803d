/** Reads the permissions of roles, from inline policies and from attached policies of the template. */
import * as z from 'zod';
import { oneOrMore } from '../schema.ts';
import type { Resource } from './assembly.ts';
import { roleArn } from './names.ts';
import { parseStatements, type Statement, UnsupportedPolicyError } from './policy.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

/** AWS managed policies that grant nothing on the emulated services. */
const irrelevantManagedPolicies = [
  'service-role/AWSLambdaBasicExecutionRole',
  'service-role/AWSLambdaVPCAccessExecutionRole',
  'AWSXRayDaemonWriteAccess',
  'CloudWatchLambdaInsightsExecutionRolePolicy',
];

const roleSchema = z.object({
  RoleName: z.string().optional(),
  ManagedPolicyArns: z.array(z.string()).default([]),
  PermissionsBoundary: z.unknown().optional(),
});

const attachmentSchema = z.object({ Roles: z.array(z.string()).default([]) });

const documentSchema = z.object({
  PolicyDocument: z.object({
    Statement: oneOrMore(z.looseObject({ Action: oneOrMore(z.string()).optional() })),
  }),
});

/** Emulated services that functions can call. */
const calledServices = ['cloudformation', 'dynamodb', 'kms', 'secretsmanager', 'sqs'];

/** True if an action may belong to one of the services, such as `dynamodb:PutItem`, `dynamo*:Put*` or `*`. */
const concernsService = (action: string, services: readonly string[]): boolean => {
  const [service = ''] = action.toLowerCase().split(':');
  return /[*?]/.test(service) || services.includes(service);
};

/** Template, and the services whose statements are read. */
interface Scope {
  readonly reader: Reader;
  readonly services: readonly string[];
}

/**
 * Returns the statements of one policy. Statements on other services are dropped unresolved, because they may name
 * resources without a local equivalent.
 */
const readStatements = (
  { reader, services }: Scope,
  owner: Resource,
  policy: unknown,
): readonly Statement[] => {
  const document = documentSchema.safeParse(policy);
  if (!document.success) {
    throw new UnsupportedResourceError(owner, 'malformed policy document');
  }
  const relevant = document.data.PolicyDocument.Statement.filter(
    ({ Action }) => Action === undefined || Action.some((one) => concernsService(one, services)),
  );
  try {
    return parseStatements(reader.resolve(owner, relevant));
  } catch (error) {
    throw error instanceof UnsupportedPolicyError
      ? new UnsupportedResourceError(owner, error.message)
      : error;
  }
};

const readInlineStatements = (scope: Scope, role: Resource): readonly Statement[] => {
  const policies = [role.properties['Policies'] ?? []].flat();
  return policies.flatMap((policy) => readStatements(scope, role, policy));
};

const readAttachedStatements = (scope: Scope, roleName: string): readonly Statement[] =>
  scope.reader
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter((policy) => scope.reader.read(policy, attachmentSchema).Roles.includes(roleName))
    .flatMap((policy) => readStatements(scope, policy, policy.properties));

const readRole = (scope: Scope, role: Resource): readonly Statement[] => {
  const properties = scope.reader.read(role, roleSchema);
  if (properties.PermissionsBoundary !== undefined) {
    throw new UnsupportedResourceError(role, 'permissions boundaries are not evaluated');
  }
  const unknown = properties.ManagedPolicyArns.find(
    (arn) => !irrelevantManagedPolicies.some((name) => arn.endsWith(`:aws:policy/${name}`)),
  );
  if (unknown !== undefined) {
    throw new UnsupportedResourceError(
      role,
      `the content of the managed policy ${unknown} is not known here`,
    );
  }
  return [
    ...readInlineStatements(scope, role),
    ...readAttachedStatements(scope, properties.RoleName ?? role.id),
  ];
};

/** Returns the role of the template with this ARN. */
export const findRole = (reader: Reader, arn: string): Resource | undefined =>
  reader.ofType('AWS::IAM::Role').find(({ id, properties: { RoleName: name } }) => {
    return arn === roleArn(typeof name === 'string' ? name : id);
  });

/** Returns the roles' policy statements on the given services, by the role's logical id. Other roles are ignored. */
export const readRoles = (
  reader: Reader,
  roleIds: ReadonlySet<string>,
  services: readonly string[] = calledServices,
): Readonly<Record<string, readonly Statement[]>> => {
  const roles = reader.ofType('AWS::IAM::Role').filter(({ id }) => roleIds.has(id));
  return Object.fromEntries(roles.map((role) => [role.id, readRole({ reader, services }, role)]));
};
