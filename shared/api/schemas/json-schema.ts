/** What JSON Schema says of something. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** That what is like the first is like the second, too. */
export const implies = (condition: JsonSchema, consequence: JsonSchema): JsonSchema => ({
  anyOf: [{ not: condition }, consequence],
});
