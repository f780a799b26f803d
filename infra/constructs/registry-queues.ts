import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueId, queues } from '../../shared/api/resources.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { RegistryFunction } from './registry-function.ts';
import { toTitleCase } from './title-case.ts';

/** A queue and its dead-letter queue. */
export interface QueuePair {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** How often a message is received before it goes to the dead-letter queue. */
export const maxReceiveCount = 5;

/** The messages of one batch, and by default the batches at once. Few at once leave room for other requests to OSV.dev. */
const batchSize = 10;
const defaultConcurrency = 4;

interface RegistryQueuesProps {
  readonly ids: readonly QueueId[];
  /** The most batches of a queue at once. Undefined: four. */
  readonly concurrency: number | undefined;
}

/** The queues between functions, each with a dead-letter queue. */
export class RegistryQueues extends Construct {
  private readonly byId: ReadonlyMap<QueueId, QueuePair>;
  private readonly concurrency: number;

  constructor(scope: Construct, id: string, { ids, concurrency }: RegistryQueuesProps) {
    super(scope, id);
    this.concurrency = concurrency ?? defaultConcurrency;
    this.byId = new Map(ids.map((queueId) => [queueId, this.addPair(queueId)]));
  }

  /** The queues with their ids. */
  get all(): readonly (readonly [QueueId, QueuePair])[] {
    return [...this.byId];
  }

  private pick(id: QueueId): QueuePair {
    const pair = this.byId.get(id);
    if (!pair) throw new Error(`The stack has no queue ${id}`);
    return pair;
  }

  /** Grants the function to send to the queues, and sets the variables with their addresses. */
  bind(target: RegistryFunction, ids: readonly QueueId[]): void {
    for (const id of ids) {
      const { queue } = this.pick(id);
      target.allow(['sqs:SendMessage'], [queue.queueArn]);
      target.setVariable(queues[id].env, queue.queueUrl);
    }
  }

  /**
   * Has the function consume the queue, in batches with partial failures. The queue limits the function: a reserved
   * concurrency would refuse batches that the queue has handed out, and count each refusal as a failure.
   */
  addConsumer(id: QueueId, target: RegistryFunction): void {
    const { queueArn } = this.pick(id).queue;
    target.allow(['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], [queueArn]);
    target.lambda.addEventSourceMapping(toTitleCase(id), {
      eventSourceArn: queueArn,
      batchSize,
      maxConcurrency: this.concurrency,
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
