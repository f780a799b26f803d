import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import type { RecordItem } from '../../../shared/storage/decisions/records.ts';

const describeEvent = ({ id, type, at, name, version, to }: RegistryEvent): string =>
  [id, type, at, name, version, to].join(' ');

const describeRecord = ({ id, type, at, name, version, to }: RecordItem): string =>
  [id, type, at, name ?? null, version ?? null, to].join(' ');

/**
 * What is wrong with events, given the records that they stand for in the order of their commits: numbers that are left
 * out or come twice, records that became no event or two, and packages whose events are out of order.
 */
export const findFlaws = (
  records: readonly RecordItem[],
  events: readonly RegistryEvent[],
): string[] => {
  const gaps = events.flatMap(({ sequence }, at) =>
    sequence === at + 1 ? [] : [`${sequence} at the place of ${at + 1}`],
  );
  const published = Map.groupBy(events, ({ id }) => id);
  const wrongTimes = records.flatMap((record) => {
    const times = published.get(record.id)?.length ?? 0;
    return times === 1 ? [] : [`${times} events: ${describeRecord(record)}`];
  });
  const keys = new Map(records.map(({ id, package_key }) => [id, package_key]));
  const strangers = events.flatMap((event) =>
    keys.has(event.id) ? [] : [`of no record: ${describeEvent(event)}`],
  );
  const ofPackage = Map.groupBy(events, ({ id }) => keys.get(id));
  const disordered = [...Map.groupBy(records, ({ package_key }) => package_key)].flatMap(
    ([key, ofKey]) => {
      const must = ofKey.map(describeRecord).join('\n');
      const is = (ofPackage.get(key) ?? []).map(describeEvent).join('\n');
      return must === is ? [] : [`${key} is published in another order, or wrongly`];
    },
  );
  return [...gaps, ...wrongTimes, ...strangers, ...disordered];
};
