/** What invokes functions besides requests: streams of tables, and the clock. */
import type { Output } from '../lambda/instance.ts';
import { createQueues, type Queue } from '../queues.ts';
import { startSchedules } from '../schedules.ts';
import { startEventSource } from '../streams/event-source.ts';
import { openPositions } from '../streams/positions.ts';
import type { Backend } from './backend.ts';
import type { PreparedStack } from './prepared-stack.ts';

export interface Background {
  /** The stack's queues by logical id. */
  readonly queues: Readonly<Record<string, Queue>>;
  /** Invokes the targets of a rule at once, by its logical id. Rejects when one of them fails. */
  runSchedule(ruleId: string): Promise<void>;
}

export interface BackgroundOptions {
  /** Absent: streams are read from the beginning each time. */
  readonly positionsFile: string | undefined;
  readonly onLog: (source: string, line: string, output: Output) => void;
}

/** @throws {StartError} when a role does not allow Lambda to read a stream for its function */
export const startBackground = async (
  { model, invoke }: PreparedStack,
  { dynamodb, writes, closers }: Backend,
  { positionsFile, onLog }: BackgroundOptions,
): Promise<Background> => {
  const onProblem = (id: string, line: string): void => onLog(id, line, 'stderr');
  const queues = createQueues(model, onProblem);
  const positions = openPositions(positionsFile);
  for (const source of Object.values(model.eventSources)) {
    const options = { model, dynamodb, positions, writes, queues, invoke, onProblem };
    closers.push((await startEventSource(source, options)).close);
  }
  const schedules = startSchedules({ schedules: model.schedules, invoke, onProblem });
  closers.push(schedules.close);
  return { queues, runSchedule: schedules.run };
};
