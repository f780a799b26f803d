import type { ListedVersion } from '../../shared/api/schemas/listed.ts';
import { describeAutomatic } from '../../shared/domain/review/automatic-submission.ts';

/**
 * Describes why the registry submitted a version, and its older updates: ` (security fix of 1.2.0; 2 older updates)`. Returns an
 * empty text for a version that a request submitted.
 */
export const describeUpdate = ({
  automatic,
  older_updates = [],
}: Partial<Pick<ListedVersion, 'automatic' | 'older_updates'>>): string => {
  if (!automatic) return '';
  const { length } = older_updates;
  const older = length === 0 ? [] : [`${length} older ${length === 1 ? 'update' : 'updates'}`];
  return ` (${[describeAutomatic(automatic), ...older].join('; ')})`;
};
