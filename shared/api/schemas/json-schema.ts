/** JSON Schema as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns a schema that requires `consequence` of each value that matches `condition`. */
export const implies = (condition: JsonSchema, consequence: JsonSchema): JsonSchema => ({
  anyOf: [{ not: condition }, consequence],
});

/** Returns the schemas under a keyword, or a single schema as it is. */
export const unite = (keyword: 'allOf' | 'anyOf', schemas: readonly JsonSchema[]): JsonSchema => {
  const [first, ...others] = schemas;
  return first && others.length === 0 ? first : { [keyword]: schemas };
};

/**
 * Returns the keywords that hold an object to rules between its fields. Generators of clients skip `then`. From `allOf`
 * they would make types that do not compile.
 */
export const holdTo = (...rules: readonly JsonSchema[]): JsonSchema => ({
  if: { type: 'object' },
  then: unite('allOf', rules),
});
