import { readCounterShards } from '../../config/env.ts';
import { type CatalogueLayout, defaultLayout } from './layout.ts';

/** Where a write goes in the catalogue: how ordinals are cut, and which shard of each counter counts it. */
export interface CatalogueTarget {
  readonly layout: CatalogueLayout;
  readonly shard: number;
}

/** The target whose counters are those of this shard. */
export const makeTarget = (shard: number): CatalogueTarget => ({ layout: defaultLayout, shard });

let target: CatalogueTarget | undefined;

/** The target of this function instance. It keeps to one shard: a quiet registry then has few, and a busy one spreads its writers. */
export const chooseTarget = (): CatalogueTarget => {
  target ??= makeTarget(Math.floor(Math.random() * readCounterShards()));
  return target;
};
