import type { Address } from '../address/address.ts';

/** The props of each view. */
export interface ViewProps {
  readonly address: Address;
}
