/** Returns the error of a refusal. The text is added to the reason of the refusal. */
export type Refuse = (addition: string) => Error;

/**
 * Throws the error of a refusal, except while the stack rolls back.
 *
 * CloudFormation also rolls a failed deployment back by an update, whose properties are the earlier ones. Such an update must
 * succeed, or the stack would be stuck. The event does not mark it, and nothing documents which identifier of the resource it
 * carries, so only the status of the stack distinguishes it from another deployment. Without the status, the error is
 * thrown: a deployment can be repeated, and CloudFormation continues a rollback that failed.
 */
export const refuseUnlessRollback = async (
  refuse: Refuse,
  isRollingBack: () => Promise<boolean>,
): Promise<void> => {
  const isRollback = await isRollingBack().catch((error: unknown) => {
    throw refuse(`, and the status of the stack cannot be read (${error})`);
  });
  if (!isRollback) throw refuse('');
};
