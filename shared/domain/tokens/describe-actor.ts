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
