/** Evaluates key policies of KMS: https://docs.aws.amazon.com/kms/latest/developerguide/key-policies.html */
import type { KeyStatement } from '../template/model.ts';
import { rootArn } from '../template/names.ts';
import { compileWildcard, type Decision } from '../template/policy.ts';

/** Decides on an action with a key, given the decision of the caller's identity-based policies. */
export type KeyPolicy = (action: string, byIdentity: Decision) => Decision;

/**
 * Returns the policy of a key for a role. A statement for the role allows an action by itself. A statement for the account
 * leaves the decision to the identity-based policies of its roles.
 */
export const createKeyPolicy = (statements: readonly KeyStatement[], roleId: string): KeyPolicy => {
  const compiled = statements.map(({ actions, ...statement }) => ({
    ...statement,
    patterns: actions.map((pattern) => compileWildcard(pattern, 'i')),
  }));
  const findEffects = (action: string, principals: readonly string[]): string[] =>
    compiled
      .filter((one) => one.principals.some((principal) => principals.includes(principal)))
      .filter(({ patterns }) => patterns.some((pattern) => pattern.test(action)))
      .map(({ effect }) => effect);
  return (action, byIdentity) => {
    const ofRole = findEffects(action, [roleId, '*']);
    const ofAccount = findEffects(action, [rootArn]);
    if (byIdentity === 'denied explicitly' || [...ofRole, ...ofAccount].includes('Deny')) {
      return 'denied explicitly';
    }
    if (ofRole.includes('Allow')) return 'allowed';
    return ofAccount.includes('Allow') ? byIdentity : 'not allowed';
  };
};
