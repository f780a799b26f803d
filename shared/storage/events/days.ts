import type { DayStatistics } from '../../api/schemas/statistics.ts';
import { findWaitBucket, waitBuckets } from '../../domain/review/waiting-time.ts';
import { dayMs } from '../../util/duration.ts';
import { groupBy } from '../../util/group-by.ts';
import type { RecordItem } from '../decisions/records.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { addToFields, updateItem, type Write } from '../dynamodb/write.ts';

/** Counts of one day. */
interface DayCounts {
  readonly submitted?: number;
  readonly approved?: number;
  readonly rejected?: number;
  readonly expired?: number;
  /** Number of approvals and rejections that a policy rule made. */
  readonly by_rule?: number;
  /** First decisions on versions, and the sum of their waiting times in seconds. */
  readonly decided?: number;
  readonly waited_seconds?: number;
}

interface DayItem extends DayCounts {
  readonly s: string;
  /** First decisions by waiting time: one field for each bucket that has some. */
  readonly [bucket: `w${number}`]: number;
}

const daysTable = defineTable<DayItem>('events');

/** Partition with one item for each day, by date. */
const partition = '#days';

const toBucketField = (bucket: number): `w${number}` => `w${bucket}`;

const countRecord = ({
  type,
  waited_seconds,
  rule,
}: RecordItem): Readonly<Record<string, number>> => {
  const [subject, what = ''] = type.split('.');
  if (subject !== 'package') return {};
  return {
    [what]: 1,
    ...(rule !== undefined && { by_rule: 1 }),
    ...(waited_seconds !== undefined && {
      ...{ decided: 1, waited_seconds },
      [toBucketField(findWaitBucket(waited_seconds))]: 1,
    }),
  };
};

const toDate = (at: string): string => at.slice(0, 'yyyy-mm-dd'.length);

/** Returns the writes that count records on their days: one for each day. */
export const countOnDays = (records: readonly RecordItem[]): Write[] => {
  const days = groupBy(records, ({ at }) => toDate(at));
  return [...days].flatMap(([date, ofDay]) => {
    const sums: Record<string, number> = {};
    for (const [field, count] of ofDay.flatMap((record) => Object.entries(countRecord(record)))) {
      sums[field] = (sums[field] ?? 0) + count;
    }
    if (Object.keys(sums).length === 0) return [];
    return [updateItem(daysTable, { p: partition, s: date }, { change: addToFields(sums) })];
  });
};

const secondsAnHour = 3600;

const toStatistics = (date: string, item: DayItem = { s: date }): DayStatistics => {
  const { submitted = 0, approved = 0, rejected = 0, expired = 0 } = item;
  const { by_rule = 0, decided = 0, waited_seconds = 0 } = item;
  const hours = decided > 0 ? waited_seconds / decided / secondsAnHour : null;
  return {
    date,
    ...{ submitted, approved, rejected, expired, by_rule, decided },
    mean_hours_to_decision: hours === null ? null : Math.round(hours * 100) / 100,
    waits: Array.from({ length: waitBuckets }, (_, bucket) => item[toBucketField(bucket)] ?? 0),
  };
};

/** Returns the statistics of `count` days up to `lastDay`, in date order. */
export const listDays = async (lastDay: Date, count: number): Promise<DayStatistics[]> => {
  const dates = Array.from({ length: count }, (_, at) =>
    toDate(new Date(lastDay.getTime() - (count - 1 - at) * dayMs).toISOString()),
  );
  const items = await queryItems(daysTable, {
    KeyConditionExpression: 'p = :days AND s BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':days': partition, ':first': dates[0], ':last': dates.at(-1) },
  });
  const byDate = new Map(items.map((item) => [item.s, item]));
  return dates.map((date) => toStatistics(date, byDate.get(date)));
};
