import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueId, queues } from '../../shared/api/resources.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { RegistryFunction } from './registry-function.ts';
import { toTitleCase } from './title-case.ts';

/** A queue, and where the messages go that failed as often as may be. */
export interface QueuePair {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

const queueIds = Object.keys(queues) as QueueId[];

/** How often a message is handed out before it is given up. */
export const maxReceiveCount = 5;

/** How many messages a function gets at once, and how many of it run at once: others want to ask OSV.dev, too. */
const batchSize = 10;
const maxConcurrency = 4;

/** The queues between functions. */
export class RegistryQueues extends Construct {
  private readonly byId: Readonly<Record<QueueId, QueuePair>>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.byId = Object.fromEntries(
      queueIds.map((queueId) => [queueId, this.addPair(queueId)]),
    ) as Record<QueueId, QueuePair>;
  }

  /** Each under its id. */
  get all(): readonly (readonly [QueueId, QueuePair])[] {
    return queueIds.map((id) => [id, this.byId[id]]);
  }

  /** Lets the function send to the queues and tells it their addresses: one never goes without the other. */
  bind(target: RegistryFunction, ids: readonly QueueId[]): void {
    for (const id of ids) {
      const { queue } = this.byId[id];
      target.allow(['sqs:SendMessage'], [queue.queueArn]);
      target.tell(queues[id].env, queue.queueUrl);
    }
  }

  /** Has the function work on what is in the queue, and answer for each message. */
  drive(id: QueueId, target: RegistryFunction): void {
    const { queueArn } = this.byId[id].queue;
    target.allow(['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], [queueArn]);
    target.lambda.addEventSourceMapping(toTitleCase(id), {
      eventSourceArn: queueArn,
      batchSize,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
  }

  private addPair(id: QueueId): QueuePair {
    const name = `${toTitleCase(id)}DeadLetters`;
    const deadLetters = new DeadLetterQueue(this, name, name);
    const queue = new Queue(this, toTitleCase(id), {
      enforceSSL: true,
      visibilityTimeout: Duration.minutes(queues[id].hiddenMinutes),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount },
    });
    return { queue, deadLetters };
  }
}
