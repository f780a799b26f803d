import { RegistryError } from '../../domain/errors.ts';
import type { RefId } from '../../storage/projects/project-items.ts';

const maxShown = 255;

/** Returns the error of a request for a ref that another request writes. */
export const refuseConcurrent = ({ project, ref }: RefId): RegistryError =>
  new RegistryError(
    'recording_in_progress',
    `Another request records or removes ${ref} of ${project}, or was interrupted less than a minute ago. Try again.`,
    { headers: { 'Retry-After': '10' } },
  );

/** Returns the error for a project or a ref that nobody recorded. */
export const refuseUnknownProject = ({
  project,
  ref,
}: {
  readonly project: string;
  readonly ref?: string | undefined;
}): RegistryError => {
  const what = ref === undefined ? 'a project' : `${ref} of a project`;
  const named = JSON.stringify(project.slice(0, maxShown));
  return new RegistryError('project_not_found', `Nobody recorded ${what} ${named}.`);
};
