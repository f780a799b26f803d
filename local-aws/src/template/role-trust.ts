/** Evaluates trust policies of roles. */
import * as z from 'zod';
import { oneOrMore } from '../schema.ts';
import type { Resource } from './assembly.ts';
import { accountId } from './names.ts';
import { compileWildcard } from './policy.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

const keysSchema = z
  .strictObject({
    'aws:SourceAccount': oneOrMore(z.string()).optional(),
    'aws:SourceArn': oneOrMore(z.string()).optional(),
  })
  .optional();

const trustSchema = z.object({
  AssumeRolePolicyDocument: z.object({
    Statement: oneOrMore(
      z.strictObject({
        Sid: z.string().optional(),
        Effect: z.literal('Allow'),
        Action: oneOrMore(z.string()),
        Principal: z.object({ Service: oneOrMore(z.string()).default([]) }),
        Condition: z
          .strictObject({
            ArnLike: keysSchema,
            ArnLikeIfExists: keysSchema,
            StringEquals: keysSchema,
            StringEqualsIfExists: keysSchema,
          })
          .default({}),
      }),
    ),
  }),
});

type Keys = NonNullable<z.output<typeof keysSchema>>;
type Compare = (expected: string, actual: string) => boolean;

const equals: Compare = (expected, actual) => expected === actual;
const isLike: Compare = (pattern, actual) => compileWildcard(pattern).test(actual);

const matchesKeys = (keys: Keys | undefined, context: Required<Keys>, compare: Compare): boolean =>
  Object.entries(keys ?? {}).every(([key, expected = []]) =>
    context[key as keyof Keys]?.some((actual) => expected.some((one) => compare(one, actual))),
  );

/**
 * True if the service may assume the role on behalf of the resource with this ARN.
 * @throws {UnsupportedResourceError} for a condition that is not evaluated here
 */
export const trustsService = (
  reader: Reader,
  role: Resource,
  { service, sourceArn }: { readonly service: string; readonly sourceArn: string },
): boolean => {
  const parsed = trustSchema.safeParse(reader.resolve(role, role.properties));
  if (!parsed.success) {
    throw new UnsupportedResourceError(role, 'its trust policy is not evaluated');
  }
  const context = { 'aws:SourceAccount': [accountId], 'aws:SourceArn': [sourceArn] };
  return parsed.data.AssumeRolePolicyDocument.Statement.some(
    ({ Action, Principal, Condition }) =>
      Action.includes('sts:AssumeRole') &&
      Principal.Service.includes(service) &&
      [Condition.StringEquals, Condition.StringEqualsIfExists].every((keys) =>
        matchesKeys(keys, context, equals),
      ) &&
      [Condition.ArnLike, Condition.ArnLikeIfExists].every((keys) =>
        matchesKeys(keys, context, isLike),
      ),
  );
};
