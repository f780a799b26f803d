/** The account that a template is resolved for on this machine, and the names AWS would give there. */

export const region = 'us-east-1';
export const accountId = '000000000000';
export const partition = 'aws';

const arn = (service: string, resource: string): string =>
  `arn:${partition}:${service}:${region}:${accountId}:${resource}`;

export const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);

/** The engine numbers streams by the moment of their creation; policies see this constant label instead. */
export const streamArn = (tableName: string): string => `${tableArn(tableName)}/stream/local`;

/** Secrets Manager appends a hyphen and six random characters to the name. Here they are always the same. */
export const secretArn = (name: string): string => arn('secretsmanager', `secret:${name}-AbCdEf`);

export const functionArn = (name: string): string => arn('lambda', `function:${name}`);

export const queueArn = (name: string): string => arn('sqs', name);

const queueOrigin = `https://sqs.${region}.amazonaws.com`;

/** What `Ref` gives for a queue. */
export const queueUrl = (name: string): string => `${queueOrigin}/${accountId}/${name}`;

/** The text with addresses of queues as functions get them: the SDK calls what stands in an address. */
export const moveQueueUrls = (text: string, endpoint: string): string =>
  text.replaceAll(`${queueOrigin}/${accountId}/`, `${endpoint}/${accountId}/`);

/** The last part of a queue's address, wherever that is. */
export const readQueueName = (url: unknown): string => String(url).split('/').at(-1) ?? '';

export const ruleArn = (name: string): string => arn('events', `rule/${name}`);

export const logGroupArn = (name: string): string => arn('logs', `log-group:${name}:*`);

export const roleArn = (name: string): string => `arn:${partition}:iam::${accountId}:role/${name}`;

/** What a function calls AWS as: its role, in a session named after itself. */
export const sessionArn = (roleId: string, functionId: string): string =>
  `arn:${partition}:sts::${accountId}:assumed-role/${roleId}/${functionId}`;

/** The ARN that a permission's `SourceArn` is matched with when API Gateway invokes a function. */
export const executeApiArn = (source: string): string => arn('execute-api', source);
