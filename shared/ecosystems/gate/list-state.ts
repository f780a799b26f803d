import { isCurrent, type Pack } from '../../storage/packs/find-pack.ts';
import type { GateMoment } from './refusal.ts';

/** A list of the gate, or the state of a list that the client already has. */
export type ListAnswer<Document> =
  | {
      readonly document: Document;
      /** State of the list: an equal state has an equal document. Undefined if only the document can be compared. */
      readonly state: string | undefined;
    }
  | { readonly unchanged: string };

/** Compares the state of a list with that of the client's copy; absent if the client sent none. */
export interface KnownState {
  readonly isKnown?: ((state: string) => boolean) | undefined;
}

/**
 * Returns the state of a list that these packs decide alone. Undefined if something else has a part in it: a freeze, a change
 * after a pack was written, or an approval in it that has expired.
 */
export const findListState = (
  packs: readonly (Pack | undefined)[],
  { now, freeze }: GateMoment,
): string | undefined => {
  if (freeze || !packs.every((pack) => pack && isCurrent(pack, now))) return undefined;
  return JSON.stringify(packs.map((pack) => [pack?.of.name, pack?.head?.id]));
};
