/** What Lambda is told of a batch: these records, or messages, come again. */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export const reportFailures = (identifiers: readonly string[]): BatchAnswer => ({
  batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
});
