/** The stack's SQS queues: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/ */
import { createChangeSignal } from '../change-signal.ts';
import type { Queue as QueueModel, StackModel } from '../template/model.ts';
import { type MessageCounts, openMessageStore, type StoredMessage } from './message-store.ts';

export interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: Date;
}

/** A message as it is handed out. */
export interface ReceivedMessage extends Message {
  readonly receiptHandle: string;
  readonly receiveCount: number;
  readonly firstReceivedAt: Date;
}

export interface Queue {
  readonly model: QueueModel;
  /** All that it holds, handed out or not, oldest first. */
  readonly messages: readonly Message[];
  send(body: string, delaySeconds?: number): Message;
  /**
   * Hands out what may be seen, and hides it for as long as the queue says, if not told otherwise. What was handed out
   * too often goes to the dead-letter queue instead.
   */
  receive(count: number, visibilityTimeoutSeconds?: number): readonly ReceivedMessage[];
  /** Of a message that was handed out again since, an older receipt deletes nothing. */
  delete(receiptHandle: string): void;
  count(): MessageCounts;
  /** What `wait` is told, so that it misses nothing. */
  countArrivals(): number;
  /** Resolves when there may be something to receive, and after so many milliseconds at the latest. */
  wait(seen: number, milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface Queues {
  /** By logical id. */
  readonly byId: Readonly<Record<string, Queue>>;
  close(): void;
}

export interface QueuesOptions {
  /** The database file; absent: nothing is kept. */
  readonly file?: string | undefined;
  /** Gets a line for each message that nothing here consumes: nobody looks into a queue that should stay empty. */
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

  /** Takes out what was handed out as often as it may be. */
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
