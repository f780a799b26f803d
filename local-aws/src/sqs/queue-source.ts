/** Invokes a function with the messages of a queue, like Lambda's event source mapping. */
import { maxPayloadBytes } from '../lambda/messages.ts';
import type { QueueSource } from '../template/model.ts';
import type { Queue, ReceivedMessage } from './message-queues.ts';
import { findDone, makeSqsRecord } from './sqs-event.ts';

export interface QueueSourceOptions {
  readonly queue: Queue;
  /** Invokes a function. Rejects if the function fails. */
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
}

/** Longest single wait for a queue, in milliseconds. The queue is then polled again. */
const idleMs = 60_000;

const makeEvent = ({ model }: Queue, messages: readonly ReceivedMessage[]): object => ({
  Records: messages.map((message) => makeSqsRecord(model.arn, message)),
});

/** Splits a batch that is too large for one event into several batches. */
const splitToFit = (queue: Queue, batch: readonly ReceivedMessage[]): ReceivedMessage[][] => {
  const bytes = Buffer.byteLength(JSON.stringify(makeEvent(queue, batch)));
  if (bytes <= maxPayloadBytes || batch.length === 1) return [[...batch]];
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)].flatMap((part) => splitToFit(queue, part));
};

/** Starts to receive messages. Failed messages are received again after their visibility timeout. */
export const startQueueSource = (
  source: QueueSource,
  { queue, invoke }: QueueSourceOptions,
): { close(): Promise<void> } => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const underWay = new Set<Promise<void>>();

  const deliver = async (messages: readonly ReceivedMessage[]): Promise<void> => {
    const answer = await invoke(source.functionId, makeEvent(queue, messages));
    if (signal.aborted) return;
    const done = source.reportsItemFailures ? findDone(messages, answer) : messages;
    for (const { receiptHandle } of done) queue.delete(receiptHandle);
  };
  const begin = (messages: readonly ReceivedMessage[]): void => {
    // The function has logged its failure. Its messages stay in the queue.
    const delivery = deliver(messages)
      .catch(() => undefined)
      .finally(() => underWay.delete(delivery));
    underWay.add(delivery);
  };
  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      const seen = queue.countArrivals();
      if (underWay.size >= source.maxConcurrency) await Promise.race([...underWay, stopped]);
      else {
        const messages = queue.receive(source.batchSize);
        if (messages.length === 0) await queue.wait(seen, idleMs, signal);
        else splitToFit(queue, messages).forEach(begin);
      }
    }
  };
  const polling = poll();
  return {
    close: async () => {
      stopping.abort();
      await polling;
    },
  };
};
