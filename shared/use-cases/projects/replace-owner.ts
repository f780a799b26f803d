import type { OwnerReplacement, ReplacedOwner } from '../../api/schemas/project.ts';
import { listProjects, replaceProjectOwner } from '../../storage/projects/projects.ts';
import { runInParallel } from '../../util/in-parallel.ts';

/** Projects that one request reads. */
const projectsARequest = 500;
const parallelWrites = 10;

/**
 * Replaces an owner in the next 500 projects, for example by a pseudonym. Digests of snapshots stay valid, since they do not
 * contain the owner. Its repetition replaces the rest after an interruption.
 */
export const replaceOwner = async ({
  owner,
  replacement,
  after,
}: OwnerReplacement): Promise<ReplacedOwner> => {
  const page = { after: after ?? undefined, limit: projectsARequest };
  const { items, next } = await listProjects(page);
  const own = items.filter((project) => project.owner === owner);
  const done = await runInParallel(own, parallelWrites, (project) =>
    replaceProjectOwner(project, replacement),
  );
  return {
    replaced: done.filter(Boolean).length,
    next: next ? (items.at(-1)?.k ?? null) : null,
  };
};
