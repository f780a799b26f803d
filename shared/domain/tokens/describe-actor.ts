/** Who did something, as the request said, and the label of its token. */
interface NamedActor {
  readonly by: string | null;
  readonly token_label?: string | null | undefined;
}

/** Who did something, for people: `ana@example.com (token ci)`. The label is left out where it is the same. Null for nobody. */
export const describeActor = ({ by, token_label = null }: NamedActor): string | null => {
  if (by === null) return null;
  return token_label === null || token_label === by ? by : `${by} (token ${token_label})`;
};
