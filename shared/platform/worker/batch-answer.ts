/** Partial batch response for Lambda: identifiers of failed records or messages, which Lambda delivers again. */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export const reportFailures = (identifiers: readonly string[]): BatchAnswer => ({
  batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
});
