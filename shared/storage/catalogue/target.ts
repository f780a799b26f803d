import { readCounterShards } from '../../api/settings/env.ts';
import { type CatalogueLayout, defaultLayout } from './layout.ts';

/** Where a write goes in the catalogue: how ordinals are cut, and which shard of each counter counts it. */
export interface CatalogueTarget {
  readonly layout: CatalogueLayout;
  /** Other ones at other times, where the target can leave a shard. */
  readonly shard: number;
  /** Told that others are at work in a shard; what is made after that may go to another one. */
  readonly leave?: (shard: number) => void;
}

/** The target whose counters are those of this shard, whoever else is at work there. */
export const makeTarget = (shard: number): CatalogueTarget => ({ layout: defaultLayout, shard });

/**
 * A target that keeps to one of so many shards for as long as it meets nobody there: a quiet registry then has few, and of
 * a busy one each writer comes to have its own. Two that both stayed would meet again and again.
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
      // Both counters of one transaction tell of the same meeting.
      if (shard !== kept) return;
      kept = (kept + 1 + Math.floor(random() * (shards - 1))) % shards;
    },
  };
};

let target: CatalogueTarget | undefined;

/** The target of this function instance. */
export const chooseTarget = (): CatalogueTarget => {
  target ??= createTarget(readCounterShards());
  return target;
};
