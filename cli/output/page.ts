import { isObject, type JsonObject } from '../../shared/domain/json.ts';

/** One page of a list, whatever its rows are called in the answer. */
export interface Page {
  readonly rows: readonly JsonObject[];
  /** What the rows are called in the answer. */
  readonly key: string;
  readonly total: number;
  readonly offset: number;
}

/** Takes an answer for a page of a list; undefined if it is one thing. */
export const toPage = (answer: unknown): Page | undefined => {
  if (!isObject(answer) || typeof answer['total'] !== 'number') return undefined;
  const [key, rows] = Object.entries(answer).find(([, value]) => Array.isArray(value)) ?? [];
  if (key === undefined) return undefined;
  const offset = Number(answer['offset'] ?? 0);
  return { key, rows: rows as readonly JsonObject[], total: answer['total'], offset };
};

const formatCount = (count: number): string => count.toLocaleString('en');

/** Tells people in one line what of the list they do not see; nothing if they see its end. */
export const describeRest = ({ rows, total, offset }: Page): string => {
  if (total === 0) return 'Nothing matches.\n';
  if (rows.length === 0) return `There are ${formatCount(total)}; --offset is beyond them.\n`;
  const next = offset + rows.length;
  if (next >= total) return '';
  const shown = `${formatCount(offset + 1)} to ${formatCount(next)} of ${formatCount(total)}`;
  return `${shown}; --all shows all, --offset ${next} the next.\n`;
};
