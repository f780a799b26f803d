/** Reads what each role may do: its inline policies, and the policies that attach themselves to it. */
import * as z from 'zod';
import { parseStatements, type Statement, UnsupportedPolicyError } from '../aws/iam.ts';
import type { Resource } from './assembly.ts';
import { type Reader, unsupported } from './reader.ts';

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

const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.union([z.array(schema), schema.transform((one) => [one])]);

const documentSchema = z.object({
  PolicyDocument: z.object({
    Statement: oneOrMore(z.looseObject({ Action: oneOrMore(z.string()).optional() })),
  }),
});

const localServices = ['dynamodb', 'secretsmanager', 'sqs'];

/** Whether an action may be one of a service that runs here: `dynamodb:PutItem`, `dynamo*:Put*`, `*`. */
function concernsLocalService(action: string): boolean {
  const [service = ''] = action.toLowerCase().split(':');
  return /[*?]/.test(service) || localServices.includes(service);
}

/**
 * The statements of one policy. Those on other services are dropped before they are resolved, since they may name
 * resources that do not exist here.
 */
function readStatements(reader: Reader, owner: Resource, policy: unknown): readonly Statement[] {
  const document = documentSchema.safeParse(policy);
  if (!document.success) {
    throw unsupported(owner, 'malformed policy document');
  }
  const relevant = document.data.PolicyDocument.Statement.filter(
    ({ Action }) => Action === undefined || Action.some(concernsLocalService),
  );
  try {
    return parseStatements(reader.resolve(owner, relevant));
  } catch (error) {
    throw error instanceof UnsupportedPolicyError ? unsupported(owner, error.message) : error;
  }
}

function inlineStatements(reader: Reader, role: Resource): readonly Statement[] {
  const policies = [role.properties['Policies'] ?? []].flat();
  return policies.flatMap((policy) => readStatements(reader, role, policy));
}

function attachedStatements(reader: Reader, roleName: string): readonly Statement[] {
  return reader
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter((policy) => reader.read(policy, attachmentSchema).Roles.includes(roleName))
    .flatMap((policy) => readStatements(reader, policy, policy.properties));
}

function readRole(reader: Reader, role: Resource): readonly Statement[] {
  const properties = reader.read(role, roleSchema);
  if (properties.PermissionsBoundary !== undefined) {
    throw unsupported(role, 'permissions boundaries are not evaluated');
  }
  const unknown = properties.ManagedPolicyArns.find(
    (arn) => !irrelevantManagedPolicies.some((name) => arn.endsWith(`:aws:policy/${name}`)),
  );
  if (unknown !== undefined) {
    throw unsupported(role, `the content of the managed policy ${unknown} is not known here`);
  }
  return [
    ...inlineStatements(reader, role),
    ...attachedStatements(reader, properties.RoleName ?? role.id),
  ];
}

/** The statements of the given roles, by logical id. Roles that no function uses are never read. */
export function readRoles(
  reader: Reader,
  roleIds: ReadonlySet<string>,
): Readonly<Record<string, readonly Statement[]>> {
  const roles = reader.ofType('AWS::IAM::Role').filter(({ id }) => roleIds.has(id));
  return Object.fromEntries(roles.map((role) => [role.id, readRole(reader, role)]));
}
