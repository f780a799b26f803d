/** SQS queues of the stack: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/ */
import { createChangeSignal } from '../change-signal.ts';
import type { Queue as QueueModel, StackModel } from '../template/model.ts';
import { type MessageCounts, openMessageStore, type StoredMessage } from './message-store.ts';

export interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: Date;
}

/** Received message. */
export interface ReceivedMessage extends Message {
  readonly receiptHandle: string;
  readonly receiveCount: number;
  readonly firstReceivedAt: Date;
}

export interface Queue {
  readonly model: QueueModel;
  /** All messages of the queue, visible or hidden, the oldest first. */
  readonly messages: readonly Message[];
  send(body: string, delaySeconds?: number): Message;
  /**
   * Returns up to `count` visible messages, and hides them for the given time or else for the queue's visibility timeout.
   * Messages that were received too often move to the dead-letter queue instead.
   */
  receive(count: number, visibilityTimeoutSeconds?: number): readonly ReceivedMessage[];
  /** Deletes the message of a receipt. If the message was received again later, an older receipt deletes nothing. */
  delete(receiptHandle: string): void;
  count(): MessageCounts;
  /** Returns the number of arrivals so far, to pass to `wait`, so that no arrival is missed. */
  countArrivals(): number;
  /** Resolves when a message may have become visible, or after `milliseconds`. */
  wait(seen: number, milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface Queues {
  /** Queues by logical id. */
  readonly byId: Readonly<Record<string, Queue>>;
  close(): void;
}

export interface QueuesOptions {
  /** Database file. Absent: in memory. */
  readonly file?: string | undefined;
  /**
   * Called with a line for each message in a queue without a consumer, because messages there usually report a problem.
   */
  readonly onMessage: (queueId: string, line: string) => void;
}

const toMessage = ({ id, body, sent_at }: StoredMessage): Message => ({
  messageId: id,
  body,
  sentAt: new Date(sent_at),
});

const toReceived = (stored: StoredMessage): ReceivedMessage => ({
  ...toMessage(stored),
  receiptHandle: stored.receipt ?? '',
  receiveCount: stored.received,
  firstReceivedAt: new Date(stored.first_received_at ?? stored.sent_at),
});

const isConsumed = ({ queueSources }: StackModel, queueId: string): boolean =>
  Object.values(queueSources).some((source) => source.queueId === queueId);

export const createQueues = (model: StackModel, { file, onMessage }: QueuesOptions): Queues => {
  const store = openMessageStore(file);
  const arrivals = createChangeSignal();

  const announce = ({ id, name }: QueueModel, { body }: StoredMessage): void => {
    if (!isConsumed(model, id)) onMessage(id, `queue ${name} received ${body}`);
    arrivals.notify();
  };

  /** Moves messages that reached `maxReceiveCount` to the dead-letter queue. */
  const redriveSpent = ({ name, redrive }: QueueModel): void => {
    const target = redrive && model.queues[redrive.queueId];
    if (redrive === undefined || target === undefined) return;
    const moved = store.move(name, target.name, redrive.maxReceiveCount);
    for (const message of moved) announce(target, message);
  };

  const createQueue = (queue: QueueModel): Queue => {
    const { name } = queue;
    return {
      model: queue,
      get messages() {
        return store.list(name).map(toMessage);
      },
      send: (body, delaySeconds = queue.delaySeconds) => {
        const stored = store.add(name, body, delaySeconds * 1000);
        announce(queue, stored);
        return toMessage(stored);
      },
      receive: (count, seconds = queue.visibilityTimeoutSeconds) => {
        store.deleteSentBefore(name, Date.now() - queue.retentionSeconds * 1000);
        redriveSpent(queue);
        return store.take(name, count, seconds * 1000).map(toReceived);
      },
      delete: (receiptHandle) => store.delete(name, receiptHandle),
      count: () => store.count(name),
      countArrivals: arrivals.count,
      wait: (seen, milliseconds, signal) => {
        const next = (store.findNextVisible(name) ?? Number.POSITIVE_INFINITY) - Date.now();
        return arrivals.wait(seen, Math.max(0, Math.min(milliseconds, next)), signal);
      },
    };
  };
  return {
    byId: Object.fromEntries(
      Object.values(model.queues).map((queue) => [queue.id, createQueue(queue)]),
    ),
    close: store.close,
  };
};
