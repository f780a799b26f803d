/**
 * Stands in for what the SDK keeps discovered endpoints in. DynamoDB's are known by its regions: none of its client's
 * commands discovers any, and yet each client makes room for a thousand.
 */
export class EndpointCache {}
