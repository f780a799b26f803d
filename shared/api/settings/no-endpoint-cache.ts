/**
 * Empty replacement for the SDK's cache of discovered endpoints. A region determines the endpoint of DynamoDB, so no
 * command of its client discovers any. Yet each client allocates a cache for a thousand.
 */
export class EndpointCache {}
