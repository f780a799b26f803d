/** Filters records as Lambda does: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html */
import { isObject, type JsonObject, parseJson } from '../json.ts';

/** The pattern is malformed, or compares in a way that is not emulated. */
export class EventPatternError extends Error {
  override name = 'EventPatternError';
}

type Scalar = string | number | boolean | null;

/** Compares one value. Undefined stands for a field that is not there. */
type Comparison = (value: unknown) => boolean;

/** A field's comparisons, of which one must hold, or the pattern of what is below it. */
export interface EventPattern {
  readonly [field: string]: EventPattern | readonly Comparison[];
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const comparePrefix = (prefix: unknown): Comparison => {
  if (typeof prefix !== 'string') throw new EventPatternError('a prefix has to be text');
  return (value) => typeof value === 'string' && value.startsWith(prefix);
};

/** All but the listed values, or all but those with a prefix. The field has to be there. */
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
  // Only leaves exist; an object is no more than the way to them.
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

/** @param text the pattern as JSON. @throws {EventPatternError} */
export const parsePattern = (text: string): EventPattern => {
  const pattern = parseJson(text);
  if (!isObject(pattern)) throw new EventPatternError(`the filter ${text} is not a JSON object`);
  return compile(pattern);
};

/** Whether all fields of the pattern match. A list matches where one of its elements does. */
export const matches = (pattern: EventPattern, event: unknown): boolean =>
  Object.entries(pattern).every(([field, expected]) => {
    const value = isObject(event) ? event[field] : undefined;
    const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
    return Array.isArray(expected)
      ? values.some((one) => expected.some((holds: Comparison) => holds(one)))
      : values.some((one) => matches(expected as EventPattern, one));
  });
