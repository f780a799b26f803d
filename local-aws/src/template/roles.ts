/** Reads what each role may do: its inline policies, and the policies that attach themselves to it. */
import * as z from 'zod';
import { parseStatements, type Statement, UnsupportedPolicyError } from '../iam/policy.ts';
import { oneOrMore } from '../schema.ts';
import type { Resource } from './assembly.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

/** AWS's own policies that grant nothing on the services that run here. */
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

const localServices = ['dynamodb', 'secretsmanager', 'sqs'];

/** Whether an action may be one of a service that runs here: `dynamodb:PutItem`, `dynamo*:Put*`, `*`. */
const concernsLocalService = (action: string): boolean => {
  const [service = ''] = action.toLowerCase().split(':');
  return /[*?]/.test(service) || localServices.includes(service);
};

/**
 * The statements of one policy. Those on other services are dropped before they are resolved, since they may name
 * resources that do not exist here.
 */
const readStatements = (reader: Reader, owner: Resource, policy: unknown): readonly Statement[] => {
  const document = documentSchema.safeParse(policy);
  if (!document.success) {
    throw new UnsupportedResourceError(owner, 'malformed policy document');
  }
  const relevant = document.data.PolicyDocument.Statement.filter(
    ({ Action }) => Action === undefined || Action.some(concernsLocalService),
  );
  try {
    return parseStatements(reader.resolve(owner, relevant));
  } catch (error) {
    throw error instanceof UnsupportedPolicyError
      ? new UnsupportedResourceError(owner, error.message)
      : error;
  }
};

const readInlineStatements = (reader: Reader, role: Resource): readonly Statement[] => {
  const policies = [role.properties['Policies'] ?? []].flat();
  return policies.flatMap((policy) => readStatements(reader, role, policy));
};

const readAttachedStatements = (reader: Reader, roleName: string): readonly Statement[] =>
  reader
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter((policy) => reader.read(policy, attachmentSchema).Roles.includes(roleName))
    .flatMap((policy) => readStatements(reader, policy, policy.properties));

const readRole = (reader: Reader, role: Resource): readonly Statement[] => {
  const properties = reader.read(role, roleSchema);
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
    ...readInlineStatements(reader, role),
    ...readAttachedStatements(reader, properties.RoleName ?? role.id),
  ];
};

/** The statements of the given roles, by logical id. Roles that no function uses are never read. */
export const readRoles = (
  reader: Reader,
  roleIds: ReadonlySet<string>,
): Readonly<Record<string, readonly Statement[]>> => {
  const roles = reader.ofType('AWS::IAM::Role').filter(({ id }) => roleIds.has(id));
  return Object.fromEntries(roles.map((role) => [role.id, readRole(reader, role)]));
};
