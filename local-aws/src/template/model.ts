/**
 * Model of a synthesised stack, with every intrinsic function resolved to its local value. The template readers
 * build the model, and all emulators run from the model.
 */

import type { EventPattern } from './event-pattern.ts';
import type { Statement } from './policy.ts';

/** Token bucket: its refill rate in requests per second, and its size in requests. */
export interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** One method of the REST API and the function behind it. */
export interface Route {
  /** Logical id of the `AWS::ApiGateway::Method`. */
  readonly id: string;
  /** HTTP method in upper case, or `ANY`. */
  readonly method: string;
  /** Path template of the resource, such as `/orders/{id}` or `/files/{path+}`. */
  readonly path: string;
  readonly functionId: string;
  /** True if the integration's role, or an `AWS::Lambda::Permission`, lets API Gateway invoke the function. */
  readonly permitted: boolean;
  readonly throttle?: Throttle;
}

/** Customised error response of the gateway. Absent parts use API Gateway's defaults. */
export interface GatewayResponse {
  readonly statusCode?: number;
  /** Header expressions by name: `'literal'` in single quotes, or `context.name`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body templates by media type, with `$context.name` variables. */
  readonly templates: Readonly<Record<string, string>>;
}

export interface RestApi {
  readonly id: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | null;
  readonly binaryMediaTypes: readonly string[];
  /** Smallest body that is compressed, in bytes, if the client accepts it. Absent: never compress. */
  readonly minimumCompressionSize?: number;
  readonly routes: readonly Route[];
  /** Gateway responses by response type, such as `DEFAULT_4XX`. */
  readonly gatewayResponses: Readonly<Record<string, GatewayResponse>>;
  readonly accessLogFormat?: string;
}

export interface LambdaFunction {
  readonly id: string;
  readonly name: string;
  /** Path of the bundle's directory, which Lambda would unpack as the task root. */
  readonly codeDirectory: string;
  /** `file.export`, without the extension of the file. */
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

/** Secondary index, in the shape of CreateTable. */
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
  /** Name of the attribute with the expiry time, in epoch seconds. */
  readonly timeToLiveAttribute?: string;
  readonly streamViewType?: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';
}

/** Rules for a generated secret value, with the names of the template. */
export interface SecretGeneration {
  readonly ExcludeCharacters: string;
  readonly ExcludeLowercase: boolean;
  readonly ExcludeNumbers: boolean;
  readonly ExcludePunctuation: boolean;
  readonly ExcludeUppercase: boolean;
  /** Key of the generated text in the JSON object of `SecretStringTemplate`. Absent: the text is the whole value. */
  readonly GenerateStringKey?: string | undefined;
  readonly IncludeSpace: boolean;
  /** Length in characters. */
  readonly PasswordLength: number;
  readonly RequireEachIncludedType: boolean;
  readonly SecretStringTemplate?: Readonly<Record<string, unknown>> | undefined;
}

export interface Secret {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  /** Value in the template, if any. */
  readonly initialValue?: string;
  /** Rules for a generated value, if any. */
  readonly generation?: SecretGeneration;
}

/** Asymmetric KMS key for signatures (ECDSA on the curve P-256). */
export interface SigningKey {
  /** Logical id, which is also the key id. */
  readonly id: string;
  readonly arn: string;
  /** Statements of the key policy. */
  readonly statements: readonly KeyStatement[];
}

/** Statement of a key policy. Its resource is the key. */
export interface KeyStatement extends Pick<Statement, 'effect' | 'actions'> {
  /** Logical ids of roles, the ARN of the account, or `*`. */
  readonly principals: readonly string[];
}

/** Resource that a function of the stack creates or updates on deployment. */
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
  /** Delay before a sent message becomes visible. */
  readonly delaySeconds: number;
  readonly maxMessageBytes: number;
  /** Default wait of ReceiveMessage for messages. */
  readonly receiveWaitSeconds: number;
  /** Age, counted from the sending, at which a message is deleted. */
  readonly retentionSeconds: number;
  /** Time for which a received message stays hidden from other receivers. */
  readonly visibilityTimeoutSeconds: number;
  /** Dead-letter queue for messages that were received `maxReceiveCount` times and not deleted. */
  readonly redrive?: {
    readonly queueId: string;
    readonly queueArn: string;
    readonly maxReceiveCount: number;
  };
}

/** Event source mapping (`AWS::Lambda::EventSourceMapping`) of a queue to a function. */
export interface QueueSource {
  readonly id: string;
  readonly queueId: string;
  readonly functionId: string;
  /** Messages per batch, at most 10. */
  readonly batchSize: number;
  /** Most batches in progress at the same time. */
  readonly maxConcurrency: number;
  /** True if the function reports partial failures with `batchItemFailures`. */
  readonly reportsItemFailures: boolean;
}

/** Event source mapping (`AWS::Lambda::EventSourceMapping`) of a table's stream to a function. */
export interface EventSource {
  readonly id: string;
  readonly tableId: string;
  readonly functionId: string;
  readonly batchSize: number;
  /** Longest wait for a full batch, in seconds. */
  readonly batchingWindowSeconds: number;
  /** Most retries of a batch. Infinity: retry until the record is too old. */
  readonly maxRetryAttempts: number;
  /** Age at which a record is given up, in seconds. Infinity: no limit. */
  readonly maxRecordAgeSeconds: number;
  readonly bisectsOnError: boolean;
  /** Most batches of one shard in progress at the same time. */
  readonly parallelizationFactor: number;
  /** True if the function reports partial failures with `batchItemFailures`. */
  readonly reportsItemFailures: boolean;
  /** Filters. A record passes if any filter matches it, or if there are no filters. */
  readonly filters: readonly EventPattern[];
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  /** Queue that receives a message about records that were given up. */
  readonly onFailureQueueId?: string;
}

export interface ScheduleTarget {
  readonly functionId: string;
  /** Event to send instead of EventBridge's scheduled event. */
  readonly input?: unknown;
  /** True if an `AWS::Lambda::Permission` lets EventBridge invoke the function for this rule. */
  readonly permitted: boolean;
  /** Number of Lambda's retries after a failed invocation. */
  readonly retryAttempts: number;
}

/** `AWS::Events::Rule` with a schedule. */
export interface Schedule {
  readonly id: string;
  readonly arn: string;
  readonly everyMs: number;
  readonly targets: readonly ScheduleTarget[];
}

/** Model of a whole stack. All parts are keyed by logical id. */
export interface StackModel {
  readonly name: string;
  readonly api: RestApi;
  readonly functions: Readonly<Record<string, LambdaFunction>>;
  /** Identity-based policy statements on the emulated services, by the role's logical id. */
  readonly roles: Readonly<Record<string, readonly Statement[]>>;
  readonly tables: Readonly<Record<string, Table>>;
  readonly secrets: Readonly<Record<string, Secret>>;
  readonly signingKeys: Readonly<Record<string, SigningKey>>;
  readonly customResources: Readonly<Record<string, CustomResource>>;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly eventSources: Readonly<Record<string, EventSource>>;
  readonly queueSources: Readonly<Record<string, QueueSource>>;
  readonly schedules: Readonly<Record<string, Schedule>>;
  /** Outputs of the stack by name, without outputs that cannot be resolved locally. */
  readonly outputs: Readonly<Record<string, string>>;
}
