type Level = 'info' | 'warn' | 'error';

/** Returns the loggable fields of an error, without its payload, which may contain a caller's data. */
const describeError = (error: unknown): unknown =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
      }
    : String(error);

/** Writes one line of JSON to stdout. In Lambda, `console.log` would add a prefix. */
export const writeLine = (fields: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify(fields)}\n`);
};

/** Logs an event that is not a request. An `error` field is logged with name, message and stack. */
export const logEvent = (
  level: Level,
  event: string,
  { error, ...fields }: Readonly<Record<string, unknown>>,
): void => {
  writeLine({
    level,
    event,
    ...fields,
    ...(error === undefined ? {} : { error: describeError(error) }),
  });
};
