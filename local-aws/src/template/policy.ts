/** Evaluates identity-based IAM policies: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html */
import * as z from 'zod';
import { oneOrMore } from '../schema.ts';

/** Thrown if a policy uses an element that is not evaluated. */
export class UnsupportedPolicyError extends Error {
  override name = 'UnsupportedPolicyError';
}

export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  /** Patterns of `service:Action`, with `*` and `?`. Matching ignores case. */
  readonly actions: readonly string[];
  /** Patterns of ARNs, with `*` and `?`. Matching is case-sensitive. */
  readonly resources: readonly string[];
  /** Partition keys of items to which a statement on DynamoDB is limited. */
  readonly leadingKeys?: readonly string[] | undefined;
}

export type Decision = 'allowed' | 'denied explicitly' | 'not allowed';

/** Decides whether an action on the resource with this ARN is allowed. A request for items names their partition keys. */
export type Policy = (
  action: string,
  resource: string,
  partitionKeys?: readonly string[],
) => Decision;

/** The only condition that is evaluated: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html */
const conditionSchema = z.strictObject({
  'ForAllValues:StringEquals': z.strictObject({ 'dynamodb:LeadingKeys': oneOrMore(z.string()) }),
});

/** The only action whose requests are read for the keys of their items, in lower case. */
const keyedAction = 'dynamodb:batchgetitem';

const statementSchema = z
  .strictObject({
    Sid: z.string().optional(),
    Effect: z.enum(['Allow', 'Deny']),
    Action: oneOrMore(z.string()),
    Resource: oneOrMore(z.string()),
    Condition: conditionSchema.optional(),
  })
  .refine(
    ({ Action, Condition }) =>
      !Condition || Action.every((action) => action.toLowerCase() === keyedAction),
    { path: ['Condition'] },
  );

/**
 * Returns the parsed `Statement` of a policy document.
 * @throws {UnsupportedPolicyError} for `NotAction`, `NotResource`, other conditions and other elements that are not evaluated.
 * Without this error, the policy would grant more or less than on AWS.
 */
export const parseStatements = (statements: unknown): readonly Statement[] => {
  const parsed = z.array(statementSchema).safeParse([statements].flat());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const element =
      issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
    throw new UnsupportedPolicyError(`the policy element ${element} is not evaluated`);
  }
  return parsed.data.map(({ Effect, Action, Resource, Condition }) => ({
    effect: Effect,
    actions: Action,
    resources: Resource,
    leadingKeys: Condition?.['ForAllValues:StringEquals']['dynamodb:LeadingKeys'],
  }));
};

/** Returns a matcher for a pattern, in which `*` matches any text and `?` one character. */
export const compileWildcard = (pattern: string, flags = ''): RegExp => {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, `s${flags}`);
};

/** Returns a policy with precompiled patterns, so that a decision only runs a few regular expressions. */
export const createPolicy = (statements: readonly Statement[]): Policy => {
  const compiled = statements.map(({ effect, actions, resources, leadingKeys }) => ({
    effect,
    leadingKeys,
    actions: actions.map((pattern) => compileWildcard(pattern, 'i')),
    resources: resources.map((pattern) => compileWildcard(pattern)),
  }));
  return (action, resource, partitionKeys = []) => {
    const effects = compiled
      .filter((statement) => statement.actions.some((pattern) => pattern.test(action)))
      .filter((statement) => statement.resources.some((pattern) => pattern.test(resource)))
      .filter(({ leadingKeys }) => partitionKeys.every((key) => leadingKeys?.includes(key) ?? true))
      .map(({ effect }) => effect);
    if (effects.includes('Deny')) {
      return 'denied explicitly';
    }
    return effects.includes('Allow') ? 'allowed' : 'not allowed';
  };
};
