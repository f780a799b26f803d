import type { TokenList } from './token-list.ts';

/** Label of the only token in a frozen list, which nobody knows. */
export const frozenLabel = 'frozen';

/** True if operators froze the list: nobody may write, neither with a token nor with an account. */
export const isFrozenList = ({ entries }: Pick<TokenList, 'entries'>): boolean =>
  entries.length === 1 && entries[0]?.label === frozenLabel;
