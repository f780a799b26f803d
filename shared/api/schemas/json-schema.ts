/** JSON Schema as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns a schema that requires `consequence` of each value that matches `condition`. */
export const implies = (condition: JsonSchema, consequence: JsonSchema): JsonSchema => ({
  anyOf: [{ not: condition }, consequence],
});
