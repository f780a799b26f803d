import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { QueueEvent } from '../../platform/worker/events/queue-event.ts';
import { readMessage } from '../../platform/worker/read-message.ts';
import { type Outcome, type Scanning, scanVersions } from './scan-versions.ts';

const isDone = (outcome: Outcome | undefined): boolean =>
  outcome === 'told' || outcome === 'unwanted';

/** Whether it failed for no fault of the version. */
const isOurs = (outcome: Outcome): boolean => outcome === 'unreachable' || outcome === 'broken';

/**
 * Scans versions that were just submitted. What failed is told to the queue, message by message, which has it tried again.
 * @throws {Error} where nothing could be done at all, so that it is noticed
 */
export const scanSubmissions = async (
  { Records }: QueueEvent,
  scanning: Scanning,
): Promise<BatchAnswer> => {
  const messages = Records.map(readMessage);
  const scanned = await scanVersions(
    messages.flatMap(({ version }) => version ?? []),
    // Messages come at least once.
    (status) => status !== 'finished',
    scanning,
  );
  const outcomes = new Map(scanned.map(({ version, outcome }) => [version, outcome]));
  const failed = messages.filter(({ version }) => !(version && isDone(outcomes.get(version))));
  if (failed.length === messages.length && scanned.some(({ outcome }) => isOurs(outcome))) {
    throw new Error(`None of ${scanned.length} versions could be scanned; all are tried again`);
  }
  return reportFailures(failed.map(({ messageId }) => messageId));
};
