type Level = 'info' | 'warn' | 'error';

/** An error as the log tells it: never its payload, which may hold what a caller sent. */
const describeError = (error: unknown): unknown =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
      }
    : String(error);

/** Writes one line of JSON. Straight to stdout: console.log would put Lambda's own prefix before it. */
export const writeLine = (fields: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify(fields)}\n`);
};

/** Logs something that is not a request. An `error` field is told by name, message and stack. */
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
