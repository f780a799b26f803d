import type { PackageId } from '../../domain/packages/package-id.ts';
import { isInScope } from '../../domain/vulnerabilities/acceptance.ts';
import type { Deadline } from '../../util/deadline.ts';
import { transact } from '../dynamodb/transact.ts';
import { putAcceptanceDue } from '../reviews/due.ts';
import { findAcceptedIds, listAcceptances } from './acceptances.ts';

/** Schedules due work that adds missing risk acceptances of some vulnerabilities to a version that they cover. */
export const requestAcceptances = async (
  id: PackageId,
  vulnerabilityIds: readonly string[],
  { now, deadline }: { readonly now: Date; readonly deadline: Deadline },
): Promise<void> => {
  const accepted = await findAcceptedIds(vulnerabilityIds);
  const lists = await Promise.all(accepted.map(listAcceptances));
  const { ecosystem, name, version } = id;
  const due = {
    kind: 'acceptance',
    due_at: now.toISOString(),
    only: { ecosystem, name, version },
  } as const;
  for (const acceptance of lists.flat().filter((one) => isInScope(one, id))) {
    await transact([putAcceptanceDue(acceptance, due)], deadline);
  }
};
