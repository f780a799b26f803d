import type { ProjectRef } from '../../api/schemas/snapshot.ts';
import type { Recording } from '../../storage/projects/project-items.ts';

/** Returns a recording as the API shows it. DynamoDB does not preserve the order of names. */
export const showRecording = ({
  digest,
  number,
  commit,
  recorded_at,
  label,
  versions,
  direct,
}: Recording): Omit<ProjectRef, 'ref'> => ({
  ...{ number, versions, direct, commit, recorded_at, recorded_by: label, digest },
});
