/** Person or client that a request named, with the label of its token. */
interface NamedActor {
  readonly by: string | null;
  readonly token_label?: string | null | undefined;
}

/**
 * Returns an actor for display: `ana@example.com (token ci)`. A label equal to the name is left out. Returns null
 * without a name.
 */
export const describeActor = ({ by, token_label = null }: NamedActor): string | null => {
  if (by === null) return null;
  return token_label === null || token_label === by ? by : `${by} (token ${token_label})`;
};

/**
 * Returns a submitter for display: `ci for alice`. The label is confirmed, and the name is only stated. Returns the name alone
 * if the label is equal or missing, and null without a name.
 */
export const describeSubmitter = ({ by, token_label = null }: NamedActor): string | null => {
  if (by === null) return null;
  return token_label === null || token_label === by ? by : `${token_label} for ${by}`;
};

/** Returns the actor of an event for display: of a submission its submitter, otherwise as `describeActor` does. */
export const describeEventActor = ({
  type,
  ...actor
}: NamedActor & { readonly type: string }): string | null =>
  type === 'package.submitted' ? describeSubmitter(actor) : describeActor(actor);
