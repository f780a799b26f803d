import { dueKinds } from '../../shared/domain/review/due-kind.ts';
import { type DueItem, listDue } from '../../shared/storage/reviews/due.ts';

/** Lists the due work until a time, kind by kind, at most 100 of each kind. */
export const listAllDue = async (until: Date): Promise<DueItem[]> => {
  const stretch = { after: '', until: until.toISOString() };
  return (await Promise.all(dueKinds.map((kind) => listDue(kind, stretch, 100)))).flat();
};
