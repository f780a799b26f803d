/** The stack's SQS queues, as lists of what was sent to them since the start. Nothing consumes them. */
import { randomUUID } from 'node:crypto';
import type { StackModel } from './template/model.ts';

export interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: Date;
}

export interface Queue {
  /** Oldest first. */
  readonly messages: readonly Message[];
  send(body: string): void;
}

/** @param onMessage gets one line for each message, for nobody looks into a queue that should stay empty */
export const createQueues = (
  model: StackModel,
  onMessage: (queueId: string, line: string) => void,
): Readonly<Record<string, Queue>> => {
  const queues = Object.values(model.queues).map(({ id, name }): [string, Queue] => {
    const messages: Message[] = [];
    const send = (body: string): void => {
      messages.push({ messageId: randomUUID(), body, sentAt: new Date() });
      onMessage(id, `queue ${name} received ${body}`);
    };
    return [id, { messages, send }];
  });
  return Object.fromEntries(queues);
};
