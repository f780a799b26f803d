/**
 * What a synthesised stack asks for, with every intrinsic function resolved to its local value. The template
 * readers produce it, everything else on this machine is driven by it.
 */
import type { Statement } from '../iam/policy.ts';
import type { EventPattern } from '../streams/event-pattern.ts';

/** Requests a second that refill a bucket, and the bucket's size in requests. */
export interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** One method of the REST API and the function behind it. */
export interface Route {
  /** Logical id of the `AWS::ApiGateway::Method`. */
  readonly id: string;
  /** Upper case, or `ANY`. */
  readonly method: string;
  /** The resource's template, such as `/orders/{id}` or `/files/{path+}`. */
  readonly path: string;
  readonly functionId: string;
  /** Whether the integration's role, or an `AWS::Lambda::Permission`, lets API Gateway invoke the function. */
  readonly permitted: boolean;
  readonly throttle?: Throttle;
}

/** A customised answer of the gateway itself; what is absent keeps API Gateway's default. */
export interface GatewayResponse {
  readonly statusCode?: number;
  /** Header name to its expression: `'literal'` in single quotes, or `context.name`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Media type to the body's template, with `$context.name` variables. */
  readonly templates: Readonly<Record<string, string>>;
}

export interface RestApi {
  readonly id: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | null;
  readonly binaryMediaTypes: readonly string[];
  /** From how many bytes on an answer is compressed for a client that wants it; absent: never. */
  readonly minimumCompressionSize?: number;
  readonly routes: readonly Route[];
  /** By response type, such as `DEFAULT_4XX`. */
  readonly gatewayResponses: Readonly<Record<string, GatewayResponse>>;
  readonly accessLogFormat?: string;
}

export interface LambdaFunction {
  readonly id: string;
  readonly name: string;
  /** Absolute path of the directory that Lambda would unpack as the task root. */
  readonly codeDirectory: string;
  /** `file.export`, the file without its extension. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly roleId: string;
}

export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

export interface AttributeDefinition {
  readonly AttributeName: string;
  readonly AttributeType: 'S' | 'N' | 'B';
}

/** A secondary index, in CreateTable's own shape. */
export interface Index {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection: {
    readonly ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
    readonly NonKeyAttributes?: readonly string[] | undefined;
  };
}

export interface Table {
  readonly id: string;
  readonly name: string;
  readonly keySchema: readonly KeyElement[];
  readonly attributes: readonly AttributeDefinition[];
  readonly localIndexes: readonly Index[];
  readonly globalIndexes: readonly Index[];
  /** The attribute that holds the epoch second of expiry. */
  readonly timeToLiveAttribute?: string;
  readonly streamViewType?: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';
}

/** How Secrets Manager makes up a value, in the template's own words. */
export interface SecretGeneration {
  readonly ExcludeCharacters: string;
  readonly ExcludeLowercase: boolean;
  readonly ExcludeNumbers: boolean;
  readonly ExcludePunctuation: boolean;
  readonly ExcludeUppercase: boolean;
  /** Where the generated text goes in the JSON object of `SecretStringTemplate`; absent: it is all there is. */
  readonly GenerateStringKey?: string | undefined;
  readonly IncludeSpace: boolean;
  /** In characters. */
  readonly PasswordLength: number;
  readonly RequireEachIncludedType: boolean;
  readonly SecretStringTemplate?: Readonly<Record<string, unknown>> | undefined;
}

export interface Secret {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  /** The value that the template itself gives, if any. */
  readonly initialValue?: string;
  /** Absent where nothing is to be made up. */
  readonly generation?: SecretGeneration;
}

/** What a function of the stack is asked to do on deployment. */
export interface CustomResource {
  readonly id: string;
  readonly type: string;
  readonly functionId: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface Queue {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  /** How long a message is hidden after it was sent. */
  readonly delaySeconds: number;
  readonly maxMessageBytes: number;
  /** How long a call to receive waits for messages, if it does not say so itself. */
  readonly receiveWaitSeconds: number;
  /** After so long, counted from when it was sent, a message is deleted. */
  readonly retentionSeconds: number;
  /** How long a message is hidden after it was handed out. */
  readonly visibilityTimeoutSeconds: number;
  /** Where a message goes that was handed out so often and not deleted. */
  readonly redrive?: {
    readonly queueId: string;
    readonly queueArn: string;
    readonly maxReceiveCount: number;
  };
}

/** A queue that drives a function: an `AWS::Lambda::EventSourceMapping`. */
export interface QueueSource {
  readonly id: string;
  readonly queueId: string;
  readonly functionId: string;
  /** At most 10. */
  readonly batchSize: number;
  /** How many batches may be under way at once. */
  readonly maxConcurrency: number;
  /** Whether the function answers with `batchItemFailures`. */
  readonly reportsItemFailures: boolean;
}

/** A table's stream that drives a function: an `AWS::Lambda::EventSourceMapping`. */
export interface EventSource {
  readonly id: string;
  readonly tableId: string;
  readonly functionId: string;
  readonly batchSize: number;
  /** How long a batch may wait to be filled, in seconds. */
  readonly batchingWindowSeconds: number;
  /** Infinity: until the record is too old. */
  readonly maxRetryAttempts: number;
  /** In seconds; Infinity: however old. */
  readonly maxRecordAgeSeconds: number;
  readonly bisectsOnError: boolean;
  /** How many batches of one shard may be under way at once. */
  readonly parallelizationFactor: number;
  /** Whether the function answers with `batchItemFailures`. */
  readonly reportsItemFailures: boolean;
  /** A record passes when one of them matches it, or when there is none. */
  readonly filters: readonly EventPattern[];
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  /** Who learns of records that were given up. */
  readonly onFailureQueueId?: string;
}

export interface ScheduleTarget {
  readonly functionId: string;
  /** The event, if not EventBridge's own. */
  readonly input?: unknown;
  /** Whether an `AWS::Lambda::Permission` lets EventBridge invoke the function for this rule. */
  readonly permitted: boolean;
  /** How often Lambda tries again after a failed invocation. */
  readonly retryAttempts: number;
}

/** An `AWS::Events::Rule` with a schedule. */
export interface Schedule {
  readonly id: string;
  readonly arn: string;
  readonly everyMs: number;
  readonly targets: readonly ScheduleTarget[];
}

/** Every part by its logical id. */
export interface StackModel {
  readonly name: string;
  readonly api: RestApi;
  readonly functions: Readonly<Record<string, LambdaFunction>>;
  /** Identity-based statements on the services that run here, by the role's logical id. */
  readonly roles: Readonly<Record<string, readonly Statement[]>>;
  readonly tables: Readonly<Record<string, Table>>;
  readonly secrets: Readonly<Record<string, Secret>>;
  readonly customResources: Readonly<Record<string, CustomResource>>;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly eventSources: Readonly<Record<string, EventSource>>;
  readonly queueSources: Readonly<Record<string, QueueSource>>;
  readonly schedules: Readonly<Record<string, Schedule>>;
  /** The stack's outputs by name, those that have a meaning on this machine. */
  readonly outputs: Readonly<Record<string, string>>;
}
