import type { Address } from '../address/address.ts';

/** What every view is given. */
export interface ViewProps {
  readonly address: Address;
}
