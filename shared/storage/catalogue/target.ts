import { readCounterShards } from '../../api/settings/env.ts';
import { type CatalogueLayout, defaultLayout } from './layout.ts';

/** Target of a catalogue write: the layout, and the shard of each counter. */
export interface CatalogueTarget {
  readonly layout: CatalogueLayout;
  /** Current shard; it changes over time if the target can leave a shard. */
  readonly shard: number;
  /** Reports a conflict in a shard, after which later writes may use another shard. */
  readonly leave?: (shard: number) => void;
}

/** Returns a target with a fixed shard. */
export const makeTarget = (shard: number): CatalogueTarget => ({ layout: defaultLayout, shard });

/**
 * Returns a target that stays in one shard until a conflict occurs there. So a quiet registry has few shards, and in
 * a busy one each writer gets its own. Two writers in the same shard would conflict repeatedly.
 */
export const createTarget = (
  shards: number,
  random: () => number = Math.random,
  layout: CatalogueLayout = defaultLayout,
): CatalogueTarget => {
  let kept = Math.floor(random() * shards);
  return {
    layout,
    get shard() {
      return kept;
    },
    leave: (shard) => {
      // Both counters of one transaction report the same conflict.
      if (shard !== kept) return;
      kept = (kept + 1 + Math.floor(random() * (shards - 1))) % shards;
    },
  };
};

let target: CatalogueTarget | undefined;

/** Returns the target of this function instance. */
export const chooseTarget = (): CatalogueTarget => {
  target ??= createTarget(readCounterShards());
  return target;
};
