/**
 * Status of an added dependency in the registry: `approved` if an approved version is in its range, `out_of_range` if the
 * package only has others. Without an approved version, the status of the newest submission. `unknown` if not looked up.
 */
export const registryStatuses = [
  'approved',
  'out_of_range',
  'pending',
  'rejected',
  'not_in_registry',
  'unknown',
] as const;
export type RegistryStatus = (typeof registryStatuses)[number];
