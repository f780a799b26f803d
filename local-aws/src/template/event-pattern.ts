/** Filters records as Lambda does: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html */
import { isObject, type JsonObject, parseJson } from '../json.ts';

/** Thrown if the pattern is malformed or uses a comparison that is not emulated. */
export class EventPatternError extends Error {
  override name = 'EventPatternError';
}

type Scalar = string | number | boolean | null;

/** Compares one value. A missing field has the value undefined. */
type Comparison = (value: unknown) => boolean;

/** Pattern of an object. Each field has comparisons, of which one must match, or a nested pattern. */
export interface EventPattern {
  readonly [field: string]: EventPattern | readonly Comparison[];
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const comparePrefix = (prefix: unknown): Comparison => {
  if (typeof prefix !== 'string') throw new EventPatternError('a prefix has to be text');
  return (value) => typeof value === 'string' && value.startsWith(prefix);
};

/** Matches all values except the listed values, or except values with a prefix. A missing field does not match. */
const compareAnythingBut = (excluded: unknown): Comparison => {
  if (isObject(excluded) && Object.keys(excluded).join() === 'prefix') {
    const hasPrefix = comparePrefix(excluded['prefix']);
    return (value) => isScalar(value) && !hasPrefix(value);
  }
  const values: readonly unknown[] = [excluded].flat();
  if (values.length === 0 || !values.every(isScalar)) {
    throw new EventPatternError('anything-but takes values or a prefix');
  }
  return (value) => isScalar(value) && !values.includes(value);
};

const compareExistence = (wanted: unknown): Comparison => {
  if (typeof wanted !== 'boolean') throw new EventPatternError('exists has to be true or false');
  // Only leaf values count as existing; objects do not.
  return (value) => isScalar(value) === wanted;
};

const operators: Readonly<Record<string, (operand: unknown) => Comparison>> = {
  'anything-but': compareAnythingBut,
  exists: compareExistence,
  prefix: comparePrefix,
};

const readComparison = (expected: unknown): Comparison => {
  if (isScalar(expected)) return (value) => value === expected;
  const [[name, operand] = ['', undefined], ...others] = isObject(expected)
    ? Object.entries(expected)
    : [];
  const operator = operators[name];
  if (operator === undefined || others.length > 0) {
    throw new EventPatternError(`the filter ${JSON.stringify(expected)} is not emulated`);
  }
  return operator(operand);
};

const compile = (pattern: JsonObject): EventPattern => {
  const fields = Object.entries(pattern).map(([field, expected]) => {
    if (isObject(expected)) return [field, compile(expected)] as const;
    if (!Array.isArray(expected) || expected.length === 0 || field.startsWith('$')) {
      throw new EventPatternError(`the filter on ${field} is not emulated`);
    }
    return [field, expected.map(readComparison)] as const;
  });
  return Object.fromEntries(fields);
};

/**
 * Returns the parsed pattern.
 * @param text the pattern as JSON
 * @throws {EventPatternError} if the pattern is malformed or not emulated
 */
export const parsePattern = (text: string): EventPattern => {
  const pattern = parseJson(text);
  if (!isObject(pattern)) throw new EventPatternError(`the filter ${text} is not a JSON object`);
  return compile(pattern);
};

/** True if all fields of the pattern match. A list matches if one of its elements matches. */
export const matches = (pattern: EventPattern, event: unknown): boolean =>
  Object.entries(pattern).every(([field, expected]) => {
    const value = isObject(event) ? event[field] : undefined;
    const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
    return Array.isArray(expected)
      ? values.some((one) => expected.some((holds: Comparison) => holds(one)))
      : values.some((one) => matches(expected as EventPattern, one));
  });
