/** Account and region of a local stack, and the ARNs and URLs of its resources. */

export const region = 'us-east-1';
export const accountId = '000000000000';
export const partition = 'aws';

const arn = (service: string, resource: string): string =>
  `arn:${partition}:${service}:${region}:${accountId}:${resource}`;

export const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);

/**
 * Returns a stream's ARN with a constant label. The engine's own labels contain the creation time, which policies
 * cannot match.
 */
export const streamArn = (tableName: string): string => `${tableArn(tableName)}/stream/local`;

/**
 * Returns a secret's ARN. Secrets Manager appends a hyphen and six random characters; here the characters are constant.
 */
export const secretArn = (name: string): string => arn('secretsmanager', `secret:${name}-AbCdEf`);

export const keyArn = (id: string): string => arn('kms', `key/${id}`);

export const functionArn = (name: string): string => arn('lambda', `function:${name}`);

export const queueArn = (name: string): string => arn('sqs', name);

const queueOrigin = `https://sqs.${region}.amazonaws.com`;

/** Returns the URL of a queue, which is the value of its `Ref`. */
export const queueUrl = (name: string): string => `${queueOrigin}/${accountId}/${name}`;

/**
 * Returns the text with all queue URLs moved to a local endpoint, because the SDK sends its calls to the host of the
 * URL.
 */
export const moveQueueUrls = (text: string, endpoint: string): string =>
  text.replaceAll(`${queueOrigin}/${accountId}/`, `${endpoint}/${accountId}/`);

/** Returns the name of a queue, which is the last part of its URL. */
export const readQueueName = (url: unknown): string => String(url).split('/').at(-1) ?? '';

/** Returns the id of a stack, which is the value of `AWS::StackId`. */
export const stackArn = (name: string): string => arn('cloudformation', `stack/${name}/local`);

export const ruleArn = (name: string): string => arn('events', `rule/${name}`);

export const logGroupArn = (name: string): string => arn('logs', `log-group:${name}:*`);

export const roleArn = (name: string): string => `arn:${partition}:iam::${accountId}:role/${name}`;

/** ARN that stands for the whole account in resource-based policies. */
export const rootArn = `arn:${partition}:iam::${accountId}:root`;

/** Returns the ARN of a function's role session. The session is named after the function. */
export const sessionArn = (roleId: string, functionId: string): string =>
  `arn:${partition}:sts::${accountId}:assumed-role/${roleId}/${functionId}`;

/** Returns the source ARN of an invocation by API Gateway. Permissions match this ARN with `SourceArn`. */
export const executeApiArn = (source: string): string => arn('execute-api', source);
