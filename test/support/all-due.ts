import { dueKinds } from '../../shared/domain/review/due-kind.ts';
import { type DueItem, listDue } from '../../shared/storage/reviews/due.ts';

/** Lists the due work of every kind until a time, kind after kind, at most 100 of each. */
export const listAllDue = async (until: Date): Promise<DueItem[]> => {
  const stretch = { after: '', until: until.toISOString() };
  return (await Promise.all(dueKinds.map((kind) => listDue(kind, stretch, 100)))).flat();
};
