/** Starts the triggers of functions other than requests: table streams, queues and schedules. */

import { checkQueueGrants } from '../iam/required-grants.ts';
import type { Output } from '../lambda/instance.ts';
import type { Queue } from '../sqs/message-queues.ts';
import { startQueueSource } from '../sqs/queue-source.ts';
import { StartError } from '../start-error.ts';
import { startEventSource } from '../streams/event-source.ts';
import { openPositions } from '../streams/positions.ts';
import type { Backend } from './backend.ts';
import type { PreparedStack } from './prepared-stack.ts';
import { startSchedules } from './run-schedules.ts';

export interface Background {
  /** Queues of the stack by logical id. */
  readonly queues: Readonly<Record<string, Queue>>;
  /** Immediately invokes the targets of the rule with this logical id. Rejects if an invocation fails. */
  runSchedule(ruleId: string): Promise<void>;
}

export interface BackgroundOptions {
  /** File with stream positions. Undefined: each start reads streams from the beginning. */
  readonly positionsFile: string | undefined;
  readonly onLog: (source: string, line: string, output: Output) => void;
}

/** @throws {StartError} if a role does not allow Lambda to read a stream or a queue for its function */
export const startBackground = async (
  { model, invoke }: PreparedStack,
  { dynamodb, queues: { byId: queues }, writes, closers }: Backend,
  { positionsFile, onLog }: BackgroundOptions,
): Promise<Background> => {
  const onProblem = (id: string, line: string): void => onLog(id, line, 'stderr');
  const positions = openPositions(positionsFile);
  for (const source of Object.values(model.eventSources)) {
    const options = { model, dynamodb, positions, writes, queues, invoke, onProblem };
    closers.push((await startEventSource(source, options)).close);
  }
  for (const source of Object.values(model.queueSources)) {
    checkQueueGrants(model, source);
    const queue = queues[source.queueId];
    if (queue === undefined) throw new StartError(`no queue ${source.queueId} in the stack`);
    closers.push(startQueueSource(source, { queue, invoke }).close);
  }
  const schedules = startSchedules({ schedules: model.schedules, invoke, onProblem });
  closers.push(schedules.close);
  return { queues, runSchedule: schedules.run };
};
